import { createEmulator, type EmulatorOptions } from '@webhook-receiver/emulator'
import {
  asUsageError,
  type CommandContext,
  counted,
  type ExitCode,
  Failure,
  messageOf,
  type StartRow,
  UsageError,
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
import { doctorLines } from '../signing/not-checked.ts'
import { makeInspector, started, type UiOptions } from '../ui.ts'
import { display } from './display.ts'
import { checkEvents, runScenario, type ScenarioOptions } from './scenario.ts'
import { readWebhookSecret } from './webhook-secret.ts'

export interface SessionOptions extends UiOptions, Omit<ScenarioOptions, 'events' | 'scheme'> {
  readonly apiKeyFile?: string | undefined
  readonly writeSecret?: string | undefined
  /** The options of the emulator that have the same names. */
  readonly emulator: EmulatorOptions<string>
  readonly events?: readonly string[] | undefined
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
  checkEvents(events, samples, options, given)
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
      asUsageError(() => {
        try {
          emulator.register({ url: forward.href, events, secret })
        } catch (error) {
          throw new TypeError(messageOf(error).replace(/^"url"/, '--forward'))
        }
      })
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
    const rows: readonly StartRow[] = [
      ['Server needs', webhook?.start],
      ['Secret', webhook?.place],
      ['Forwards to', forward?.href],
      ['Sends', forward && sendingOf(options, events)],
      ['Faults', faults.length > 0 ? `${faults.join(', ')} (seed ${emulator.seed})` : undefined],
      ...service,
    ]
    // Without --forward, a program needs the address of the service and its key.
    keys = started('emulate', forward && options.json ? [] : rows, page, options, given)
    const context = { ...given, signal: keys.signal }
    context.signal.addEventListener('abort', stop, { once: true })
    const advice = forward ? await schemeAdvice(options, forward, context) : ''
    const rejected = `Your server rejected a valid delivery with 401: it has another secret than ${webhook?.name ?? 'the one of its webhook'}, verifies another service, or verifies JSON that it has parsed. See its log.${advice}`
    const start = webhook?.start
    const fix = start ? ' If it is the secret, run this in its terminal, and restart it:' : ''
    const repair = [
      ...wrap(rejected + fix, 4).map((line, index) => (index > 0 ? line : `  ! ${line.trim()}`)),
      ...(start ? [`      ${start}`] : []),
    ]
    const secretFile = options.secretFile ?? webhook?.kept
    const howToFix = (url: string) => doctorLines(url, { ...options, secretFile })
    const shown = { json: options.json, scheme: scheme.name, repair, howToFix }
    const finish = display(emulator, shown, context)
    const unsent = await runScenario(emulator, inspector, { ...options, events }, context)
    await stop()
    return finish(unsent) ? 0 : 1
  } finally {
    keys?.end()
    await stop()
  }
}

/** How many events are sent, and of how many kinds where all of them are; nothing where a program emits them. */
function sendingOf(
  { scenario, count }: SessionOptions,
  events: readonly string[],
): string | undefined {
  if (scenario === 'none') return undefined
  const number = count === undefined ? 'events' : counted(count, 'event')
  const ofKinds = count === undefined || count >= events.length ? ` of ${events.length} kinds` : ''
  const kinds = events.length === 1 ? `: ${events[0]}` : ofKinds
  return `${number}${kinds}${count === undefined ? ', until Ctrl-C' : ''}`
}

/** @throws UsageError for a flag that describes the webhook of --forward, if there is no --forward. */
function assertForward(options: SessionOptions & SigningOptions): void {
  if (options.forward) return
  for (const name of ['events', 'scheme', 'secretFile', 'secretEnv', 'writeSecret'] as const) {
    if (options[name] === undefined) continue
    const flag = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)
    throw new UsageError(`--${flag} needs --forward, with the URL of your receiver.`)
  }
}
