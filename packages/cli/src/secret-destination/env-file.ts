import { readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { codeOf, messageOf, UsageError } from '../failure.ts'
import { openDraft } from './draft.ts'
import { withVariable } from './env-text.ts'
import type { SecretLocation } from './location.ts'

const FLAG = '--dotenv'

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
  const edited = (text: string, value: string) =>
    withVariable(text, variable, value, { path, force })
  edited(await read(file), 'whsec_')
  const draft = await openDraft(file, FLAG)
  return {
    path,
    draft,
    async moveInPlace(secret) {
      const before = await read(file)
      const mode = await stat(file).then(
        ({ mode }) => mode & 0o777,
        () => 0o600,
      )
      const rewritten = `${draft.path}-env`
      await writeFile(rewritten, edited(before, secret), { encoding: 'latin1', flag: 'wx', mode })
      await rename(rewritten, file)
    },
  }
}

/** As Latin-1, in which every byte is one character: what is not ours comes out as it went in. */
async function read(path: string): Promise<string> {
  return readFile(path, 'latin1').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw new UsageError(`${FLAG} cannot be read: ${messageOf(error)}.`)
  })
}
