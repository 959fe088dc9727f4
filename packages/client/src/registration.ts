import type { WebhookEvent } from '@webhook-receiver/core'
import type { ResolvedOptions } from './options.ts'
import { checkedUrl } from './url.ts'

/** A webhook to create (contract, section 2). */
export interface WebhookRegistration<ExtraEvent extends string = never> {
  /** Where the service sends the deliveries: HTTPS, without user name, password or fragment. */
  readonly url: string
  /** The events to deliver: at least one, each once. */
  readonly events: readonly (WebhookEvent | ExtraEvent)[]
}

/** The body of the request. A wrong registration is a TypeError that says what to write. */
export function registrationBody(
  registration: unknown,
  { knownEvents, allowInsecureLoopback }: ResolvedOptions,
): string {
  const { url, events }: { url?: unknown; events?: unknown } = Object(registration)
  checkedUrl('url', url, allowInsecureLoopback)
  if (!Array.isArray(events) || events.length === 0) {
    throw new TypeError(
      "`events` should be an array of at least one event, such as ['message.received'].",
    )
  }
  for (const [index, event] of events.entries()) {
    const shown = JSON.stringify(event) ?? String(event)
    if (!knownEvents.has(event)) {
      throw new TypeError(
        `\`events\` has ${shown}, which is not an event. The events are: ${[...knownEvents].join(', ')}. Add a newer one to \`extraEvents\`.`,
      )
    }
    if (events.indexOf(event) < index) {
      throw new TypeError(`\`events\` has ${shown} twice: remove one.`)
    }
  }
  return JSON.stringify({ url, events })
}
