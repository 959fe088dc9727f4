import { constants } from 'node:fs'
import { chmod, copyFile, link, lstat, rename } from 'node:fs/promises'
import { codeOf, UsageError } from '../failure.ts'
import { type Draft, openDraft } from './draft.ts'
import type { Place } from './place.ts'

const FLAG = '--secret-file'

/**
 * A file that holds the secret and nothing else.
 *
 * @throws UsageError where there is a file already, unless it may be replaced.
 */
export async function secretFilePlace(path: string, force: boolean): Promise<Place> {
  const found = await lstat(path).catch(() => undefined)
  if (found && !found.isFile()) throw new UsageError(`${FLAG}: ${path} is no ordinary file.`)
  if (found && !force) {
    throw new UsageError(
      `${FLAG}: ${path} is there already, and was left as it is. Nothing was created. Name another file, or add --force to replace it.`,
    )
  }
  const draft = await openDraft(path, FLAG)
  return { path, draft, fill: () => (force ? rename(draft.path, path) : claim(draft, path)) }
}

/** Gives the draft its name, unless somebody else has taken that meanwhile. */
async function claim(draft: Draft, path: string): Promise<void> {
  try {
    await link(draft.path, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new Error(`${path} has appeared meanwhile`)
    // A file system without hard links.
    await copyFile(draft.path, path, constants.COPYFILE_EXCL)
    await chmod(path, 0o600)
  }
}
