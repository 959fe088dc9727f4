import {
  conversation,
  createEmulator,
  type Emulator,
  EVENTS,
  type Fault,
  type TimestampForm,
} from '@webhook-receiver/emulator'
import { aborted } from '../aborted.ts'
import { apiKeyAtHand } from '../credential.ts'
import { type ExitCode, Failure, judged, said } from '../failure.ts'
import type { DestinationOptions } from '../secret-destination/destination.ts'
import type { Surroundings } from '../surroundings.ts'
import { display } from './display.ts'
import { type Forwarding, forward } from './forward.ts'
import { untilListening } from './readiness.ts'
import { createCounter, isWell } from './tally.ts'

export interface SessionOptions extends DestinationOptions {
  readonly json?: true | undefined
  readonly port: number
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

/** The key for a service that holds nothing of worth. */
const LOCAL_KEY = 'local-key'

/** Runs the emulator until its scenario is over, or until Ctrl-C. */
export async function emulate(
  options: SessionOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stderr, now, signal } = surroundings
  const { port, faults = [], faultRate, seed, retries, timestamps: timestampForm } = options
  const apiKey = apiKeyAtHand(surroundings)
  const emulator = judged(() =>
    createEmulator<string>({
      apiKey: apiKey ?? LOCAL_KEY,
      port,
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
    const key = apiKey === undefined ? LOCAL_KEY : 'that of WEBHOOK_API_KEY'
    stderr.write(`The service is at ${emulator.baseUrl}, its API key is ${key}.\n`)
    if (faults.length > 0) stderr.write(`Faults: ${faults.join(', ')}, by seed ${emulator.seed}.\n`)
    if (options.forward) {
      const events = options.events ?? EVENTS
      forwarding = await forward(emulator, options.forward, events, options, surroundings)
    }
    const shown = display(emulator, counter, options.json === true, surroundings)
    try {
      await send(emulator, options, surroundings)
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

/** Sends the scenario to the first webhook that listens, and to those that follow. */
async function send(
  emulator: Emulator<string>,
  { scenario, rate, count, rounds = Number.POSITIVE_INFINITY, wait }: SessionOptions,
  { stderr, signal }: Surroundings,
): Promise<void> {
  if (scenario === 'none') return aborted(signal)
  const url = await firstWebhook(emulator, { stderr, signal })
  if (url) await untilListening(new URL(url), wait, { stderr, signal })
  if (signal.aborted) return
  stderr.write('Sending (Ctrl-C ends it)\n')
  await emulator.run(conversation({ rounds }), { rate, count, signal })
}

async function firstWebhook(
  emulator: Emulator<string>,
  { stderr, signal }: Pick<Surroundings, 'stderr' | 'signal'>,
): Promise<string | undefined> {
  const [first] = emulator.webhooks()
  if (first) return first.url
  stderr.write('Waiting for a webhook to be registered …\n')
  const registered = new AbortController()
  const off = emulator.on('webhook', () => registered.abort())
  await aborted(AbortSignal.any([signal, registered.signal]))
  off()
  return emulator.webhooks()[0]?.url
}
