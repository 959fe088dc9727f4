import { suggestion } from '@webhook-receiver/core/internal'
import { conversation, type Emulator, type ScenarioStep } from '@webhook-receiver/emulator'
import type { Inspector } from '@webhook-receiver/inspector'
import { type CommandContext, Failure, tell, UsageError, whenAborted } from '../console/index.ts'
import { waitForReceiver } from './readiness.ts'

export interface ScenarioOptions {
  readonly scenario: 'conversation' | 'none'
  readonly scheme?: string | undefined
  readonly events: readonly string[]
  readonly forward?: URL | undefined
  readonly wait: number
  readonly rate: number
  readonly count?: number | undefined
}

/** @throws UsageError for an event that would never be sent: the conversation of the default format has a sample of each of its events. */
export function checkEvents(
  events: readonly string[],
  samples: readonly string[],
  {
    scheme,
    scenario,
  }: { readonly scheme?: unknown; readonly scenario: ScenarioOptions['scenario'] },
  { stderr }: CommandContext,
): void {
  if (samples.length === 0 || scenario === 'none') return
  for (const event of events.filter((name) => !samples.includes(name))) {
    const hint = suggestion(event, samples) || `There are: ${samples.join(', ')}. `
    const said = `There is no sample of ${event}. ${hint}`
    if (!scheme) throw new UsageError(said.trim())
    tell(stderr, `${said}Sending it anyway.`)
  }
}

/** Sends the scenario when the first receiver listens, and to all that are registered by then or later; until the receiver of --forward has ended its subscription. Resolves to how many events of --count were not sent. */
export async function runScenario(
  emulator: Emulator<string>,
  inspector: Inspector | undefined,
  options: ScenarioOptions,
  { stderr, signal }: CommandContext,
): Promise<number> {
  const { scenario, rate, count = 0, wait } = options
  if (scenario === 'none') {
    await whenAborted(signal)
    return 0
  }
  await waitForWebhook(emulator, { stderr, signal })
  const urls = () => emulator.webhooks().map(({ url }) => new URL(url))
  const { ready, silent } = await waitForReceiver(urls, wait, { stderr, signal })
  if (signal.aborted) return count
  if (!ready && options.forward) {
    throw new Failure(
      `No receiver listens at ${options.forward.host} after ${wait} s. Start it there, or use another --forward or a longer --wait.`,
    )
  }
  for (const host of silent) {
    stderr.write(`No receiver listens at ${host}. Deliveries to it fail until it starts.\n`)
  }
  const steps = options.scheme ? inTurn(options.events) : conversation({ rounds: Infinity })
  const ended = new AbortController()
  const off = emulator.on('delivery', () => {
    if (options.forward && emulator.webhooks().length === 0) ended.abort()
  })
  const { emitted } = await emulator.run(steps, {
    ...{ rate, count: options.count },
    signal: AbortSignal.any([signal, ended.signal]),
  })
  off()
  // The page stays.
  if (inspector !== undefined) await whenAborted(signal)
  return Math.max(0, count - emitted)
}

function* inTurn(events: readonly string[]): Generator<ScenarioStep<string>> {
  for (;;) for (const event of events) yield { event }
}

async function waitForWebhook(
  emulator: Emulator<string>,
  { stderr, signal }: Pick<CommandContext, 'stderr' | 'signal'>,
): Promise<void> {
  if (emulator.webhooks().length > 0) return
  stderr.write(
    `Waiting for a program to register a webhook …
  npx webhook-receiver register --base-url ${emulator.baseUrl} --url http://localhost:3000/webhooks --write-secret secret
  Or start again with --forward <url>, which registers your server.
`,
  )
  const registered = new AbortController()
  const off = emulator.on('webhook', () => registered.abort())
  await whenAborted(AbortSignal.any([signal, registered.signal]))
  off()
}
