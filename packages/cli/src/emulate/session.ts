import {
  conversation,
  createEmulator,
  type Emulator,
  EVENTS,
  type Fault,
  type TimestampForm,
} from '@webhook-receiver/emulator'
import { aborted } from '../aborted.ts'
import type { CommandContext } from '../command-context.ts'
import { apiKeyAtHand, readApiKey } from '../credential.ts'
import { type ExitCode, Failure, judged, said } from '../failure.ts'
import type { DestinationOptions } from '../secret-destination/destination.ts'
import { display } from './display.ts'
import { type Forwarding, forward } from './forward.ts'
import { untilOneListens } from './readiness.ts'
import { createCounter, isWell } from './tally.ts'

export interface SessionOptions extends DestinationOptions {
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
  const { stderr, now, signal } = context
  const { port, faults = [], faultRate, seed, retries, timestamps: timestampForm } = options
  const apiKey =
    options.apiKeyFile === undefined ? apiKeyAtHand(context) : await readApiKey(options, context)
  const emulator = judged(() =>
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
    }),
  )
  await emulator.start().catch((error: unknown) => {
    throw new Failure(said(error).replace('`port`', '--port'))
  })
  const stop = () => void emulator.stop()
  signal.addEventListener('abort', stop, { once: true })
  const counter = createCounter()
  let forwarding: Forwarding | undefined
  try {
    stderr.write(`The service is at ${emulator.baseUrl}, ${keyOf(emulator, apiKey, options)}\n`)
    if (faults.length > 0) stderr.write(`Faults: ${faults.join(', ')}, by seed ${emulator.seed}.\n`)
    if (options.forward) {
      const events = options.events ?? EVENTS
      forwarding = await forward(emulator, options.forward, events, options, context)
    }
    const shown = display(emulator, counter, options.json === true, context)
    try {
      await send(emulator, options, context)
    } finally {
      await emulator.stop()
      shown.end()
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await emulator.stop()
    await forwarding?.cleanUp()
  }
  return isWell(counter.tally()) ? 0 : 1
}

/** Where the API key is; the key itself where it was made for this run, since nothing else has it. */
function keyOf(
  emulator: Emulator<string>,
  given: string | undefined,
  { apiKeyFile = 'WEBHOOK_API_KEY' }: SessionOptions,
): string {
  if (given !== undefined) return `with the API key of ${apiKeyFile}.`
  return `with an API key for this run:\n  WEBHOOK_API_KEY=${emulator.apiKey}`
}

/** Sends the scenario when the first receiver listens, and to all that are registered by then or later. */
async function send(
  emulator: Emulator<string>,
  options: SessionOptions,
  { stderr, signal }: CommandContext,
): Promise<void> {
  const { scenario, rate, count, rounds = Number.POSITIVE_INFINITY, wait } = options
  if (scenario === 'none') return aborted(signal)
  await firstWebhook(emulator, { stderr, signal })
  const urls = () => emulator.webhooks().map(({ url }) => new URL(url))
  const { ready, silent } = await untilOneListens(urls, wait, { stderr, signal })
  if (signal.aborted) return
  if (!ready && options.forward) {
    throw new Failure(
      `Nothing listens at ${options.forward.host} after ${wait} s: start the receiver there, or give another --forward or a longer --wait.`,
    )
  }
  for (const host of silent) {
    stderr.write(
      `Nothing listens at ${host}: deliveries to it fail until its receiver is started.\n`,
    )
  }
  stderr.write('Sending (Ctrl-C ends it)\n')
  await emulator.run(conversation({ rounds }), { rate, count, signal })
}

async function firstWebhook(
  emulator: Emulator<string>,
  { stderr, signal }: Pick<CommandContext, 'stderr' | 'signal'>,
): Promise<void> {
  if (emulator.webhooks().length > 0) return
  stderr.write('Waiting for a webhook to be registered …\n')
  const registered = new AbortController()
  const off = emulator.on('webhook', () => registered.abort())
  await aborted(AbortSignal.any([signal, registered.signal]))
  off()
}
