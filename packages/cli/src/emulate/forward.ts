import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Emulator } from '@webhook-receiver/emulator'
import type { CommandContext } from '../command-context.ts'
import { asUsageError, Failure } from '../failure.ts'
import { printableLines } from '../printable.ts'
import {
  DEFAULT_VARIABLE,
  type DestinationOptions,
  prepareDestination,
} from '../secret-destination/destination.ts'

/** A webhook that was registered at the start. */
export interface Forwarding {
  /** Removes what was created for this run only. */
  cleanUp(): Promise<void>
}

/**
 * Registers a receiver at the emulator and stores its secret. By default the secret is in a temporary file for as long as
 * the emulator runs.
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
  const destinationGiven = secretFile ?? dotenv ?? showSecret
  const folder =
    destinationGiven === undefined ? await mkdtemp(join(tmpdir(), 'webhook-receiver-')) : undefined
  const cleanUp = async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
  const where = folder === undefined ? options : { secretFile: join(folder, 'secret') }
  const destination = await prepareDestination(where, context)
  try {
    const { secret } = asUsageError(() => emulator.register({ url: url.href, events }))
    const { path, problem } = await destination.store(secret)
    if (problem !== undefined) throw new Failure(`${url.href} was registered, but ${problem}.`)
    stderr.write(`Registered ${url.href} for ${count(events)}.\n`)
    if (showSecret) stdout.write(`${DEFAULT_VARIABLE}=${secret}\n`)
    if (path !== undefined) stderr.write(printableLines(howToStart(path, options)))
    return { cleanUp }
  } catch (error) {
    await destination.discard()
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
    return `Its secret is the variable ${envVar} of ${path}. Start the receiver with it, for example:\n  node --env-file=${shellWord(path)} server.js\n`
  }
  return `Its secret is in a file. Start the receiver with it, for example:\n  WEBHOOK_SECRET="$(cat ${shellWord(path)})" npm start\n`
}

function count(events: readonly string[]): string {
  return events.length === 1 ? `the event ${events[0]}` : `${events.length} events`
}

/** A path as one word of a shell. */
function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
