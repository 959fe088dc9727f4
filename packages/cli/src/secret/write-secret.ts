import { access, constants, lstat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CommandContext, messageOf, UsageError } from '../console/index.ts'
import { makeFolder, readText } from '../options/index.ts'

/** The flag that names the file. No other flag writes, so that nobody loses the secret that was to be read. */
export const WRITE_SECRET = [
  '--write-secret <path>',
  'write the secret of the webhook to this new file',
] as const

/**
 * Checks that a file can be made, before there is a secret to keep in it. The function that is returned writes it, for its owner alone.
 *
 * @throws UsageError where there is one already, which is never replaced.
 */
export async function newSecretFile(path: string): Promise<(secret: string) => Promise<void>> {
  if (await lstat(path).catch(() => undefined)) {
    throw new UsageError(
      `--write-secret: ${path} exists already. Nothing was created or changed. Name another file.`,
    )
  }
  await access(dirname(path), constants.W_OK).catch((error: unknown) => {
    throw new UsageError(`--write-secret: ${messageOf(error)}.`)
  })
  return (secret) => writeFile(path, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true })
}

/** The secret that emulate keeps for a service from run to run, and its file. It is made once. */
export async function keptSecret(
  service: string,
  make: () => string,
  { env }: Pick<CommandContext, 'env'>,
): Promise<{ readonly secret: string; readonly path: string }> {
  const cache = env.XDG_CACHE_HOME || env.LOCALAPPDATA || join(env.HOME || homedir(), '.cache')
  const folder = join(cache, 'webhook-receiver')
  const path = join(folder, `${service}.secret`)
  await makeFolder(folder, 0o700).catch((error: unknown) => {
    throw new UsageError(`The secret cannot be kept: ${messageOf(error)}. Set WEBHOOK_SECRET.`)
  })
  // Of two runs at the same time, one makes it.
  await writeFile(path, `${make()}\n`, { flag: 'wx', mode: 0o600 }).catch(() => {})
  const secret = (await readText(path, 'The secret')).trim()
  // As where the first run was killed while it wrote.
  if (secret === '') throw new UsageError(`The secret: ${path} is empty. Delete this file.`)
  return { secret, path }
}
