import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Emulator } from '@webhook-receiver/emulator'
import type { CommandContext } from '../command-context.ts'
import { Failure, judged } from '../failure.ts'
import { printableLines } from '../printable.ts'
import {
  DEFAULT_VARIABLE,
  type DestinationOptions,
  prepareDestination,
} from '../secret-destination/destination.ts'

/** A webhook that was registered at the start. */
export interface Forwarding {
  /** Takes away what was made for this run only. */
  cleanUp(): Promise<void>
}

/**
 * Registers a receiver at the emulator and hands its secret over. Where nobody says how, the secret goes
 * to a file in the folder for temporary files, for as long as the emulator runs.
 */
export async function forward(
  emulator: Emulator<string>,
  url: URL,
  events: readonly string[],
  options: DestinationOptions,
  context: CommandContext,
): Promise<Forwarding> {
  const { stdout, stderr } = context
  const { secretFile, dotenv, showSecret } = options
  const asked = secretFile ?? dotenv ?? showSecret
  const folder =
    asked === undefined ? await mkdtemp(join(tmpdir(), 'webhook-receiver-')) : undefined
  const cleanUp = async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
  const where = folder === undefined ? options : { secretFile: join(folder, 'secret') }
  const destination = await prepareDestination(where, context)
  try {
    const { secret } = judged(() => emulator.register({ url: url.href, events }))
    const { path, problem } = await destination.hand(secret)
    if (problem !== undefined) throw new Failure(`${url.href} was registered, but ${problem}.`)
    stderr.write(`${url.href} is registered for ${events.length} events.\n`)
    if (showSecret) stdout.write(`${DEFAULT_VARIABLE}=${secret}\n`)
    if (path !== undefined) stderr.write(printableLines(howToStart(path, options)))
    return { cleanUp }
  } catch (error) {
    await destination.abandon()
    await cleanUp()
    throw error
  }
}

/** What to type in the other terminal. */
function howToStart(
  path: string,
  { dotenv, envVar = DEFAULT_VARIABLE }: DestinationOptions,
): string {
  if (dotenv !== undefined) {
    return `Its secret is ${envVar} in ${path}: start the receiver with that, as in\n  node --env-file=${word(path)} server.js\n`
  }
  return `Its secret is in a file: start the receiver with it, as in\n  WEBHOOK_SECRET="$(cat ${word(path)})" npm start\n`
}

/** A path as one word of a shell. */
function word(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
