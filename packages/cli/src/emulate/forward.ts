import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Emulator } from '@webhook-receiver/emulator'
import { asUsageError, type CommandContext, Failure, type StartRow } from '../console/index.ts'
import {
  DEFAULT_VARIABLE,
  type DestinationOptions,
  prepareDestination,
} from '../secret/destination.ts'

/**
 * Registers a receiver at the emulator, stores its secret and says what to type next. By default the secret is in a temporary file, until the
 * function that is returned is called.
 */
export async function forward(
  emulator: Emulator<string>,
  url: URL,
  events: readonly string[],
  options: DestinationOptions,
  context: CommandContext,
): Promise<{ readonly rows: readonly StartRow[]; readonly cleanUp: () => Promise<void> }> {
  const { stdout } = context
  const { secretFile, dotenv, showSecret } = options
  const isGiven = (secretFile ?? dotenv ?? showSecret) !== undefined
  const folder = isGiven ? undefined : await mkdtemp(join(tmpdir(), 'webhook-receiver-'))
  const cleanUp = async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
  const where = folder === undefined ? options : { secretFile: join(folder, 'secret') }
  const store = await prepareDestination(where, context)
  try {
    const { secret } = asUsageError(() => emulator.register({ url: url.href, events }))
    const { path, problem } = await store(secret)
    if (problem !== undefined) throw new Failure(`${url.href} was registered, but ${problem}.`)
    const which = events.length === 1 ? events[0] : `${events.length} events`
    if (showSecret) stdout.write(`${DEFAULT_VARIABLE}=${secret}\n`)
    const rows: readonly StartRow[] = [
      ['Forwards to', `${url.href} (${which})`],
      ...(path === undefined ? [] : howToStart(path, options)),
    ]
    return { rows, cleanUp }
  } catch (error) {
    await cleanUp()
    throw error
  }
}

/** What to type in the other terminal. */
function howToStart(
  path: string,
  { dotenv, envVar = DEFAULT_VARIABLE }: DestinationOptions,
): readonly StartRow[] {
  // As one word of a shell.
  const word = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
  return dotenv === undefined
    ? [
        ['Secret', `in ${path}`],
        ['Start it with', `WEBHOOK_SECRET="$(cat ${word})" npm start`],
      ]
    : [
        ['Secret', `${envVar} in ${path}`],
        ['Start it with', `node --env-file=${word} server.js`],
      ]
}
