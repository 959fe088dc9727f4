import type { WebhookEvent } from '@webhook-receiver/core'
import { checkedAddress } from './address.ts'

/** A webhook to create (contract, section 2). */
export interface WebhookRegistration<ExtraEvent extends string = never> {
  /** Where deliveries are to arrive: HTTPS, without user name, password or fragment. */
  readonly url: string
  /** The events to deliver: at least one, each once. */
  readonly events: readonly (WebhookEvent | ExtraEvent)[]
}

interface Rules {
  readonly knownEvents: ReadonlySet<string>
  readonly allowInsecureLoopback: boolean
}

/**
 * The body of the request.
 *
 * @throws TypeError that says what to write instead.
 */
export function checkedRegistration(
  registration: unknown,
  rules: Rules,
): { readonly url: string; readonly events: readonly string[] } {
  if (typeof registration !== 'object' || registration === null) {
    throw new TypeError(
      "Pass an object: create({ url: 'https://…', events: ['message.received'] }).",
    )
  }
  const { url, events, ...unknown }: { url?: unknown; events?: unknown } = registration
  const [name] = Object.keys(unknown)
  if (name !== undefined) {
    throw new TypeError(
      `A registration has no ${JSON.stringify(name)}: it has \`url\` and \`events\`.`,
    )
  }
  checkedAddress('url', url, rules.allowInsecureLoopback)
  return { url: String(url), events: checkedEvents(events, rules.knownEvents) }
}

function checkedEvents(events: unknown, known: ReadonlySet<string>): readonly string[] {
  if (!Array.isArray(events) || events.length === 0) {
    throw new TypeError(
      "`events` should be an array of at least one event, such as ['message.received'].",
    )
  }
  for (const event of events) {
    if (!known.has(event)) {
      throw new TypeError(
        `\`events\` has ${JSON.stringify(event) ?? String(event)}, which is not an event. The events are: ${[...known].join(', ')}. Add a newer one to \`extraEvents\`.`,
      )
    }
  }
  const twice = events.find((event, index) => events.indexOf(event) !== index)
  if (twice !== undefined) {
    throw new TypeError(`\`events\` has ${JSON.stringify(twice)} twice: remove one.`)
  }
  return [...events]
}
