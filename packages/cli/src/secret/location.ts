import { constants } from 'node:fs'
import { copyFile, lstat, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { codeOf, messageOf, UsageError } from '../console/index.ts'
import { type Draft, openDraft } from './draft.ts'
import { withVariable } from './env-text.ts'

/** Where a secret will be stored. */
export interface SecretLocation {
  readonly path: string
  /** Holds the secret until it is in its place, or for good if that fails. */
  readonly draft: Draft
  /** Brings the secret to its location, once the draft holds it. */
  moveInPlace(secret: string): Promise<void>
}

/**
 * A file that holds the secret and nothing else.
 *
 * @throws UsageError where there is a file already, unless it may be replaced.
 */
export async function secretFileLocation(path: string, force: boolean): Promise<SecretLocation> {
  const found = await lstat(path).catch(() => undefined)
  if (found && !found.isFile()) {
    throw new UsageError(`--secret-file: ${path} is not a regular file.`)
  }
  if (found && !force) {
    throw new UsageError(
      `--secret-file: ${path} already exists. Nothing was created or changed. Use another file, or add --force to replace it.`,
    )
  }
  const draft = await openDraft(path, '--secret-file')
  return {
    path,
    draft,
    async moveInPlace() {
      if (force) return rename(draft.path, path)
      await copyFile(draft.path, path, constants.COPYFILE_EXCL).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error
        throw new Error(`${path} was created in the meantime`)
      })
    },
  }
}

/**
 * One variable of a .env file; every other byte of it stays as it is.
 *
 * @throws UsageError where the variable has a value already, unless it may be replaced.
 */
export async function envFileLocation(
  path: string,
  variable: string,
  force: boolean,
): Promise<SecretLocation> {
  // Behind a link, so that the link stays one.
  const file = await realpath(path).catch(() => path)
  const edited = async (value: string) =>
    withVariable(await readLatin1(file), variable, value, { path, force })
  await edited('whsec_')
  const draft = await openDraft(file, '--dotenv')
  return {
    path,
    draft,
    async moveInPlace(secret) {
      const text = await edited(secret)
      const { mode } = await stat(file).catch(() => ({ mode: 0o600 }))
      const rewritten = `${draft.path}-env`
      await writeFile(rewritten, text, { encoding: 'latin1', flag: 'wx', mode: mode & 0o777 })
      await rename(rewritten, file)
    },
  }
}

/** As Latin-1, in which every byte is one character: what is not ours comes out as it went in. */
async function readLatin1(path: string): Promise<string> {
  return readFile(path, 'latin1').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw new UsageError(`--dotenv cannot be read: ${messageOf(error)}.`)
  })
}
