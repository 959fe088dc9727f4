import { access, appendFile, constants, lstat, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, messageOf, UsageError } from '../console/index.ts'

/** Writes a secret to its place. */
export type WriteSecret = (secret: string) => Promise<void>

/**
 * A file that holds the secret and nothing else, for its owner alone.
 *
 * @throws UsageError where there is a file already, unless it may be replaced.
 */
export async function secretFileLocation(path: string, force: boolean): Promise<WriteSecret> {
  const found = await lstat(path).catch(() => undefined)
  if (found && !found.isFile()) {
    throw new UsageError(`--secret-file: ${path} is not a regular file.`)
  }
  if (found && !force) {
    throw new UsageError(
      `--secret-file: ${path} already exists. Nothing was created or changed. Use another file, or add --force to replace it.`,
    )
  }
  await checkFolder(path, '--secret-file')
  return async (secret) => {
    // A new file: whoever could read or has opened the old one does not see the secret.
    if (force) await rm(path, { force })
    await writeFile(path, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true })
  }
}

/**
 * A new last line of a .env file; the lines that are there stay as they are.
 *
 * @throws UsageError where the variable is set already.
 */
export async function envFileLocation(path: string, variable: string): Promise<WriteSecret> {
  const assignment = new RegExp(`^\\s*(?:export\\s+)?${variable}\\s*[=:]`, 'm')
  const readText = async () => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined
      throw new UsageError(`--dotenv cannot be read: ${messageOf(error)}.`)
    })
    if (text === undefined || !assignment.test(text)) return text
    throw new UsageError(
      `--dotenv: ${path} already sets ${variable}. That line was not changed. Remove it, or use another --env-var.`,
    )
  }
  const found = await readText()
  if (found === undefined) await checkFolder(path, '--dotenv')
  else await checkWritable(path, '--dotenv: cannot write to this file')
  return async (secret) => {
    const text = (await readText()) ?? ''
    const newline = text.includes('\r\n') ? '\r\n' : '\n'
    const start = text === '' || text.endsWith('\n') ? '' : newline
    const line = `${start}${variable}=${quoted(secret)}${newline}`
    await appendFile(path, line, { mode: 0o600, flush: true })
  }
}

/** The service sends a secret once: what cannot be written should be known before. */
async function checkFolder(path: string, flag: string): Promise<void> {
  await checkWritable(dirname(path), `${flag}: cannot write to this folder`)
}

async function checkWritable(path: string, problem: string): Promise<void> {
  await access(path, constants.W_OK).catch((error: unknown) => {
    throw new UsageError(`${problem}: ${messageOf(error)}.`)
  })
}

/** Without quotes, a `#` would end the value. */
function quoted(secret: string): string {
  if (/^[\w.+/=:-]+$/.test(secret)) return secret
  if (/^[\x20-\x7e]+$/.test(secret) && !secret.includes("'")) return `'${secret}'`
  throw new Error('it has characters that a .env file cannot hold')
}
