import { EVENTS } from '@webhook-receiver/core'
import {
  conversation,
  createEmulator,
  type Emulator,
  type EmulatorOptions,
} from '@webhook-receiver/emulator'
import type { Inspector } from '@webhook-receiver/inspector'
import {
  asUsageError,
  type CommandContext,
  type ExitCode,
  Failure,
  messageOf,
  type StartRow,
  takeKeys,
  UsageError,
  whenAborted,
  writeStart,
} from '../console/index.ts'
import { apiKeyFromEnv, readApiKey } from '../options/index.ts'
import type { DestinationOptions } from '../secret/destination.ts'
import { makeInspector, openPage, type UiOptions } from '../ui.ts'
import { type Display, display } from './display.ts'
import { forward } from './forward.ts'
import { waitForReceiver } from './readiness.ts'
import { isSuccess } from './tally.ts'

export interface SessionOptions extends DestinationOptions, UiOptions {
  readonly json?: true | undefined
  readonly apiKeyFile?: string | undefined
  /** The options of the emulator that have the same names. */
  readonly emulator: EmulatorOptions<string>
  readonly forward?: URL | undefined
  readonly events?: readonly string[] | undefined
  readonly wait: number
  readonly scenario: 'conversation' | 'none'
  readonly rate: number
  readonly count?: number | undefined
  readonly rounds?: number | undefined
}

/** Runs the emulator until its scenario is over, or until Ctrl-C. */
export async function emulate(options: SessionOptions, given: CommandContext): Promise<ExitCode> {
  assertForward(options)
  const { stderr, now } = given
  const { faults = [] } = options.emulator
  const apiKey =
    options.apiKeyFile === undefined ? apiKeyFromEnv(given) : await readApiKey(options, given)
  const inspector = await makeInspector(options, { apiKey }, given)
  const emulator = asUsageError(() =>
    createEmulator<string>({
      ...options.emulator,
      apiKey,
      now,
      onRegistered: inspector?.addTarget,
    }),
  )
  await emulator.start().catch((error: unknown) => {
    throw new Failure(messageOf(error).replace('`port`', '--port'))
  })
  inspector?.watch(emulator)
  const page = await inspector?.start()
  const open = page === undefined ? undefined : () => openPage(page, given)
  const keys = takeKeys(given, { json: options.json, open })
  const { context } = keys
  const { signal } = context
  const stop = () => Promise.all([inspector?.stop(), emulator.stop()])
  signal.addEventListener('abort', stop, { once: true })
  let cleanUp: (() => Promise<void>) | undefined
  let shown: Display | undefined
  try {
    const events = options.events ?? EVENTS
    const forwarded =
      options.forward && (await forward(emulator, options.forward, events, options, context))
    cleanUp = forwarded?.cleanUp
    const rows: readonly StartRow[] = [
      ['Service at', emulator.baseUrl],
      ['API key', apiKeyText(emulator, apiKey, options)],
      ['Inspector', page],
      ['Faults', faults.length > 0 ? `${faults.join(', ')} (seed ${emulator.seed})` : undefined],
      ...(forwarded?.rows ?? []),
    ]
    writeStart('emulate', rows, context)
    stderr.write(`  ${keys.hint}\n\n`)
    if (options.open) open?.()
    shown = display(emulator, options.json === true, context)
    await send(emulator, inspector, options, context)
  } finally {
    keys.end()
    signal.removeEventListener('abort', stop)
    await stop()
    shown?.end()
    await cleanUp?.()
  }
  return isSuccess(shown.tally) ? 0 : 1
}

/** @throws UsageError for a flag that describes the webhook of --forward, if there is no --forward. */
function assertForward({ forward, events, secretFile, dotenv, showSecret }: SessionOptions): void {
  if (forward) return
  const flags = {
    '--events': events,
    '--secret-file': secretFile,
    '--dotenv': dotenv,
    '--show-secret': showSecret,
  }
  const unused = Object.entries(flags).find(([, value]) => value !== undefined)?.[0]
  if (unused === undefined) return
  throw new UsageError(
    `${unused} is about the webhook that --forward registers: add --forward with the URL of the receiver.`,
  )
}

/** Where the API key is, or the key itself if it was created for this run. */
function apiKeyText(
  emulator: Emulator<string>,
  given: string | undefined,
  { apiKeyFile = 'WEBHOOK_API_KEY' }: SessionOptions,
): string {
  if (given !== undefined) return `from ${apiKeyFile}`
  return `WEBHOOK_API_KEY=${emulator.apiKey}`
}

/** Sends the scenario when the first receiver listens, and to all that are registered by then or later. */
async function send(
  emulator: Emulator<string>,
  inspector: Inspector | undefined,
  options: SessionOptions,
  { stderr, signal }: CommandContext,
): Promise<void> {
  const { scenario, rate, count, rounds = Number.POSITIVE_INFINITY, wait } = options
  if (scenario === 'none') return whenAborted(signal)
  await waitForWebhook(emulator, { stderr, signal })
  const urls = () => emulator.webhooks().map(({ url }) => new URL(url))
  const { ready, silent } = await waitForReceiver(urls, wait, { stderr, signal })
  if (signal.aborted) return
  if (!ready && options.forward) {
    throw new Failure(
      `No receiver listens at ${options.forward.host} after ${wait} s. Start it there, or use another --forward or a longer --wait.`,
    )
  }
  for (const host of silent) {
    stderr.write(`No receiver listens at ${host}. Deliveries to it fail until it starts.\n`)
  }
  await emulator.run(conversation({ rounds }), { rate, count, signal })
  // The page stays.
  if (inspector !== undefined) await whenAborted(signal)
}

async function waitForWebhook(
  emulator: Emulator<string>,
  { stderr, signal }: Pick<CommandContext, 'stderr' | 'signal'>,
): Promise<void> {
  if (emulator.webhooks().length > 0) return
  stderr.write('Waiting for a program to register a webhook …\n')
  const registered = new AbortController()
  const off = emulator.on('webhook', () => registered.abort())
  await whenAborted(AbortSignal.any([signal, registered.signal]))
  off()
}
