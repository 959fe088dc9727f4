import {
  conversation,
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type ScenarioStep,
} from '@webhook-receiver/emulator'
import type { Inspector } from '@webhook-receiver/inspector'
import {
  asUsageError,
  type CommandContext,
  type ExitCode,
  Failure,
  messageOf,
  type StartRow,
  UsageError,
  whenAborted,
  wrap,
} from '../console/index.ts'
import {
  apiKeyFromEnv,
  checkSigner,
  readApiKey,
  readScheme,
  type SigningOptions,
  samplesOf,
  schemeAdvice,
} from '../options/index.ts'
import { makeInspector, started, type UiOptions } from '../ui.ts'
import { display } from './display.ts'
import { waitForReceiver } from './readiness.ts'
import { readWebhookSecret } from './webhook-secret.ts'

export interface SessionOptions extends UiOptions {
  readonly apiKeyFile?: string | undefined
  readonly writeSecret?: string | undefined
  /** The options of the emulator that have the same names. */
  readonly emulator: EmulatorOptions<string>
  readonly forward?: URL | undefined
  readonly events?: readonly string[] | undefined
  readonly wait: number
  readonly scenario: 'conversation' | 'none'
  readonly rate: number
  readonly count?: number | undefined
}

/** Runs the emulator until its scenario is over, or until Ctrl-C. */
export async function emulate(
  options: SessionOptions & SigningOptions,
  given: CommandContext,
): Promise<ExitCode> {
  const { forward } = options
  const chosen = await readScheme(options)
  const { scheme } = chosen
  checkSigner(scheme)
  assertForward(options)
  const known = scheme.events ?? []
  const samples = await samplesOf(scheme)
  const { events = samples.length > 0 ? samples : ['test'] } = options
  const webhook = forward && (await readWebhookSecret(options, chosen, given))
  const { faults = [] } = options.emulator
  const apiKey =
    options.apiKeyFile === undefined ? apiKeyFromEnv(given) : await readApiKey(options, given)
  const inspector = await makeInspector(options, { ...chosen, apiKey }, given)
  const emulator = asUsageError(() =>
    createEmulator<string>({
      ...options.emulator,
      ...chosen,
      apiKey,
      now: given.now,
      extraEvents: events.filter((event) => !known.includes(event)),
      onRegistered: (registered) => {
        inspector?.addTarget({ ...registered, start: webhook?.start })
      },
    }),
  )
  await emulator.start().catch((error: unknown) => {
    throw new Failure(messageOf(error).replace('`port`', '--port'))
  })
  inspector?.watch(emulator)
  const page = await inspector?.start()
  let keys: ReturnType<typeof started> | undefined
  const stop = () => Promise.all([inspector?.stop(), emulator.stop()])
  try {
    if (webhook) {
      const { secret } = webhook
      asUsageError(() => emulator.register({ url: forward.href, events, secret }))
      await webhook.store?.()
    }
    const key =
      apiKey === undefined
        ? `WEBHOOK_API_KEY=${emulator.apiKey}`
        : `from ${options.apiKeyFile ?? 'WEBHOOK_API_KEY'}`
    const service: readonly StartRow[] = options.scheme
      ? [['Service', scheme.name]]
      : [
          ['Service at', emulator.baseUrl],
          ['API key', key],
        ]
    const which = events.length === 1 ? events[0] : `${events.length} events`
    const rows: readonly StartRow[] = [
      ...service,
      ['Faults', faults.length > 0 ? `${faults.join(', ')} (seed ${emulator.seed})` : undefined],
      ['Forwards to', forward && `${forward.href} (${which})`],
      ['Secret', webhook?.place],
      ['Server needs', webhook?.start],
    ]
    keys = started('emulate', rows, page, options, given)
    const context = { ...given, signal: keys.signal }
    context.signal.addEventListener('abort', stop, { once: true })
    const advice = forward ? await schemeAdvice(options, forward) : ''
    const rejected = `! Your server rejected a valid delivery with 401: it has another secret than ${webhook?.name ?? 'the one of its webhook'}.${advice}`
    const repair = webhook?.start
      ? [
          ...wrap(`${rejected} Run this in its terminal, and restart it:`, 2),
          `    ${webhook.start}`,
        ]
      : wrap(`${rejected} Restart it with that one.`, 2)
    const finish = display(emulator, options.json, repair, context)
    await send(emulator, inspector, { ...options, events }, context)
    await stop()
    return finish() ? 0 : 1
  } finally {
    keys?.end()
    await stop()
  }
}

/** @throws UsageError for a flag that describes the webhook of --forward, if there is no --forward. */
function assertForward(options: SessionOptions & SigningOptions): void {
  if (options.forward) return
  for (const name of ['events', 'scheme', 'secretFile', 'secretEnv', 'writeSecret'] as const) {
    if (options[name] === undefined) continue
    const flag = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)
    throw new UsageError(
      `--${flag} is about the webhook that --forward registers. Add --forward with the URL of the receiver.`,
    )
  }
}

/** Sends the scenario when the first receiver listens, and to all that are registered by then or later. */
async function send(
  emulator: Emulator<string>,
  inspector: Inspector | undefined,
  options: SessionOptions & SigningOptions & { readonly events: readonly string[] },
  { stderr, signal }: CommandContext,
): Promise<void> {
  const { scenario, rate, count, wait } = options
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
  const steps = options.scheme ? inTurn(options.events) : conversation({ rounds: Infinity })
  await emulator.run(steps, { rate, count, signal })
  // The page stays.
  if (inspector !== undefined) await whenAborted(signal)
}

function* inTurn(events: readonly string[]): Generator<ScenarioStep<string>> {
  for (;;) for (const event of events) yield { event }
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
