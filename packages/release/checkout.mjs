import { cp, lstat, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@webhook-receiver/tools/step.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Copies the checkout with its history, so that a release in the copy changes nothing here. */
export async function copyCheckout(into) {
  await run('git', ['clone', '--quiet', '--no-checkout', ROOT, into])
  const listed = await run(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: ROOT,
    },
  )
  for (const file of new Set(listed.split('\0').filter(Boolean))) {
    const there = await lstat(join(ROOT, file)).catch(() => undefined)
    if (!there?.isFile()) continue
    await mkdir(dirname(join(into, file)), { recursive: true })
    await cp(join(ROOT, file), join(into, file))
  }
  // Changesets tags what it publishes, and a tag needs an author.
  await git(into, 'config', 'user.name', 'rehearsal')
  await git(into, 'config', 'user.email', 'rehearsal@localhost')
  await git(into, 'config', 'commit.gpgsign', 'false')
  await git(into, 'config', 'tag.gpgsign', 'false')
  const uncommitted = await commitAll(into, 'Uncommitted changes')
  return { commit: (await git(into, 'rev-parse', '--short', 'origin/HEAD')).trim(), uncommitted }
}

/** Commits everything, and gives how many files had changed. */
export async function commitAll(checkout, subject) {
  await git(checkout, 'add', '--all')
  const changed = (await git(checkout, 'diff', '--cached', '--name-only')).split('\n').length - 1
  if (changed > 0) await git(checkout, 'commit', '--quiet', '--message', subject)
  return changed
}

function git(checkout, ...args) {
  return run('git', args, { cwd: checkout })
}
