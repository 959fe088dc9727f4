import { realpathSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '@webhook-receiver/checks/step.mjs'

/** This checkout. */
export const ROOT = join(import.meta.dirname, '../..')

/** Builds take a minute and are kept, each in a folder with the name of its commit. Stack traces have its real path. */
const BUILDS = join(realpathSync(tmpdir()), 'webhook-receiver-bench')

/** The last release before HEAD; while there is none, the commit at which HEAD left main. */
export async function previousCommit() {
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD').catch(() => undefined)
  return tag ?? git('merge-base', 'HEAD', 'main')
}

/** The full hash of a commit. */
export function commitOf(revision) {
  return git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`)
}

/** A checkout of a commit, with the dependencies of its lockfile and its packages built. */
export async function builtCommit(commit) {
  const folder = join(BUILDS, commit)
  if (await exists(folder)) return folder
  console.error(`building ${commit} …`)
  await mkdir(BUILDS, { recursive: true })
  const made = await mkdtemp(join(BUILDS, 'unfinished-'))
  try {
    await run('sh', ['-ec', 'git archive "$1" | tar -x -C "$0"', made, commit], { cwd: ROOT })
    const { packageManager } = JSON.parse(await readFile(join(made, 'package.json'), 'utf8'))
    await run('npx', ['-y', packageManager, 'install', '--frozen-lockfile'], { cwd: made })
    // Another run may have built it in the meantime.
    if (!(await exists(folder))) await rename(made, folder)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
  return folder
}

async function git(...args) {
  return (await run('git', args, { cwd: ROOT })).trim()
}

function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  )
}
