import { spawnSync } from 'node:child_process'

let changed

/**
 * Whether this change touches a file whose path begins so: since the branch left main, or in the last commit.
 *
 * @param {string} path
 */
export function isChanged(path) {
  changed ??= changedFiles()
  return changed.some((file) => file.startsWith(path))
}

function changedFiles() {
  const base = git('merge-base', 'HEAD', 'main')
  return git(
    'diff',
    '--name-only',
    base && base !== git('rev-parse', 'HEAD') ? base : 'HEAD^',
  ).split('\n')
}

function git(...args) {
  return spawnSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).stdout?.trim() ?? ''
}
