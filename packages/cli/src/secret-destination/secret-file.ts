import { constants } from 'node:fs'
import { chmod, copyFile, link, lstat, rename } from 'node:fs/promises'
import { codeOf, UsageError } from '../failure.ts'
import { type Draft, openDraft } from './draft.ts'
import type { SecretLocation } from './location.ts'

const FLAG = '--secret-file'

/**
 * A file that holds the secret and nothing else.
 *
 * @throws UsageError where there is a file already, unless it may be replaced.
 */
export async function secretFileLocation(path: string, force: boolean): Promise<SecretLocation> {
  const found = await lstat(path).catch(() => undefined)
  if (found && !found.isFile()) throw new UsageError(`${FLAG}: ${path} is not a regular file.`)
  if (found && !force) {
    throw new UsageError(
      `${FLAG}: ${path} already exists. Nothing was created or changed. Use another file, or add --force to replace it.`,
    )
  }
  const draft = await openDraft(path, FLAG)
  return { path, draft, moveInPlace: () => (force ? rename(draft.path, path) : claim(draft, path)) }
}

/** Renames the draft, unless the file was created in the meantime. */
async function claim(draft: Draft, path: string): Promise<void> {
  try {
    await link(draft.path, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new Error(`${path} was created in the meantime`)
    // A file system without hard links.
    await copyFile(draft.path, path, constants.COPYFILE_EXCL)
    await chmod(path, 0o600)
  }
}
