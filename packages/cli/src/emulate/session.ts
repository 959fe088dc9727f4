import {
  conversation,
  createEmulator,
  type Emulator,
  EVENTS,
  type Fault,
  type TimestampForm,
} from '@webhook-receiver/emulator'
import type { Inspector } from '@webhook-receiver/inspector'
import { whenAborted } from '../aborted.ts'
import type { CommandContext } from '../command-context.ts'
import { apiKeyFromEnv, readApiKey } from '../credential.ts'
import { asUsageError, type ExitCode, Failure, messageOf, UsageError } from '../failure.ts'
import { makeInspector, type PageOptions, showInspector } from '../inspector.ts'
import type { DestinationOptions } from '../secret-destination/destination.ts'
import { display } from './display.ts'
import { type Forwarding, forward } from './forward.ts'
import { waitForReceiver } from './readiness.ts'
import { createCounter, isSuccess } from './tally.ts'

export interface SessionOptions extends DestinationOptions, PageOptions {
  readonly json?: true | undefined
  readonly port: number
  readonly apiKeyFile?: string | undefined
  readonly allowHost?: readonly string[] | undefined
  readonly forward?: URL | undefined
  readonly events?: readonly string[] | undefined
  readonly wait: number
  readonly scenario: 'conversation' | 'none'
  readonly rate: number
  readonly count?: number | undefined
  readonly rounds?: number | undefined
  readonly faults?: readonly Fault[] | undefined
  readonly faultRate: number
  readonly seed?: number | undefined
  readonly retries: readonly number[]
  readonly timestamps: TimestampForm
}

/** Runs the emulator until its scenario is over, or until Ctrl-C. */
export async function emulate(options: SessionOptions, context: CommandContext): Promise<ExitCode> {
  assertForward(options)
  const { stderr, now, signal } = context
  const { port, faults = [], faultRate, seed, retries, timestamps: timestampForm } = options
  const apiKey =
    options.apiKeyFile === undefined ? apiKeyFromEnv(context) : await readApiKey(options, context)
  const inspector = await makeInspector(options, { apiKey }, context)
  const emulator = asUsageError(() =>
    createEmulator<string>({
      apiKey,
      port,
      allowedHosts: options.allowHost,
      faults,
      faultRate,
      seed,
      retries,
      timestampForm,
      now,
      onRegistered: inspector?.addTarget,
    }),
  )
  await emulator.start().catch((error: unknown) => {
    throw new Failure(messageOf(error).replace('`port`', '--port'))
  })
  const stop = () => {
    inspector?.stop()
    emulator.stop()
  }
  signal.addEventListener('abort', stop, { once: true })
  const counter = createCounter()
  let forwarding: Forwarding | undefined
  try {
    inspector?.watch(emulator)
    if (inspector) await showInspector(inspector, options, context)
    stderr.write(
      `The service is at ${emulator.baseUrl}\n${apiKeyText(emulator, apiKey, options)}\n`,
    )
    if (faults.length > 0) stderr.write(`Faults: ${faults.join(', ')} (seed ${emulator.seed})\n`)
    if (options.forward) {
      const events = options.events ?? EVENTS
      forwarding = await forward(emulator, options.forward, events, options, context)
    }
    const shownDeliveries = display(emulator, counter, options.json === true, context)
    try {
      await send(emulator, inspector, options, context)
    } finally {
      await emulator.stop()
      shownDeliveries.end()
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await inspector?.stop()
    await emulator.stop()
    await forwarding?.cleanUp()
  }
  return isSuccess(counter.tally()) ? 0 : 1
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

/** Says where the API key is, or the key itself if it was created for this run. */
function apiKeyText(
  emulator: Emulator<string>,
  given: string | undefined,
  { apiKeyFile = 'WEBHOOK_API_KEY' }: SessionOptions,
): string {
  if (given !== undefined) return `Its API key is that of ${apiKeyFile}.`
  return `Its API key, for this run only:\n  WEBHOOK_API_KEY=${emulator.apiKey}`
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
  stderr.write('Sending deliveries (press Ctrl-C to stop)\n')
  if (inspector === undefined) {
    await emulator.run(conversation({ rounds }), { rate, count, signal })
    return
  }
  // The page shows that it runs, and can end it; it stays until Ctrl-C.
  await inspector.runScenario({ rate, count: least(count, rounds * CONVERSATION) })
  await whenAborted(signal)
}

/** How many events a conversation has. */
const CONVERSATION = EVENTS.length

/** `undefined` where there is no end. */
function least(count = Number.POSITIVE_INFINITY, events: number): number | undefined {
  const smaller = Math.min(count, events)
  return Number.isFinite(smaller) ? smaller : undefined
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
