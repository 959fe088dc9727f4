import { type WireDelivery, writeEnvelope } from './envelope.ts'
import type { WebhookEvent } from './event.ts'

export interface SampleOptions {
  /**
   * What `data.data` holds.
   * @default a sample for the event
   */
  readonly data?: Readonly<Record<string, unknown>> | undefined
  /** @default a random UUID */
  readonly id?: string | undefined
  /** @default 'inst_01' */
  readonly instanceId?: string | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
}

const MESSAGE_ID = '9007199254740993'

/** The contract does not say what `data.data` holds: this is made up. */
const CONTENT: { readonly [Event in WebhookEvent]: Readonly<Record<string, unknown>> } = {
  'message.received': {
    message_id: MESSAGE_ID,
    from: '+15550100',
    text: 'Hi! Are you open on Saturday?',
  },
  'message.sent': { message_id: MESSAGE_ID, to: '+15550101', text: 'On our way 🚚' },
  'message.delivered': { message_id: MESSAGE_ID, to: '+15550101' },
  'message.read': { message_id: MESSAGE_ID, by: '+15550101' },
  'message.failed': {
    message_id: MESSAGE_ID,
    to: '+15550101',
    error: { code: 131_026, title: 'Undeliverable', retryable: false },
  },
  'instance.connected': { phone: '+15550100', name: 'Café № 5', plan: null },
  'instance.disconnected': { reason: 'logged_out', attempts: 0 },
}

/**
 * Returns a realistic delivery body for one of the seven events, or for an unknown event.
 *
 * @example
 * sampleDelivery('message.received', { data: { text: 'hello' } })
 */
export function sampleDelivery<const Event extends WebhookEvent | (string & {})>(
  event: Event,
  options: SampleOptions = {},
): WireDelivery<Event> {
  const { id = crypto.randomUUID(), instanceId, now = () => Date.now() } = options
  const data = options.data ?? sampleContent(event)
  return writeEnvelope(event, data, { id, time: now(), instance: instanceId })
}

/** What `data.data` of a sample holds. */
export function sampleContent(event: string): Readonly<Record<string, unknown>> {
  return Object.hasOwn(CONTENT, event) ? CONTENT[event as WebhookEvent] : {}
}
