import { cp, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../step.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Copies the checkout, so that a release of the copy changes nothing here. Gives what there is to say of it. */
export async function copyCheckout(into) {
  // Without the history: changesets never ends on a clone of a shallow clone, which is what CI has.
  await run('git', ['init', '--quiet', '--initial-branch', 'main', into])
  // A commit needs an author.
  for (const setting of ['user.name=rehearsal', 'user.email=rehearsal@localhost']) {
    await run('git', ['config', ...setting.split('=')], { cwd: into })
  }
  for (const file of await lines('ls-files', '--cached', '--others', '--exclude-standard')) {
    const stats = await lstat(join(ROOT, file)).catch(() => undefined)
    if (stats?.isFile()) await cp(join(ROOT, file), join(into, file))
  }
  await commitAll(into, 'Copy')
  const [commit] = await lines('rev-parse', '--short', 'HEAD')
  const changed = (await lines('status', '--porcelain')).length
  return changed === 0 ? commit : `${commit} and ${changed} changes that are not committed`
}

export async function commitAll(checkout, subject) {
  await run('git', ['add', '--all'], { cwd: checkout })
  await run('git', ['-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', subject], {
    cwd: checkout,
  })
}

async function lines(...args) {
  const output = await run('git', ['-c', 'core.quotePath=false', ...args], { cwd: ROOT })
  return output.split('\n').filter(Boolean)
}
