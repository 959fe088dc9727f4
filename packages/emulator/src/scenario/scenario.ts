import type { WebhookEvent } from '@webhook-receiver/core'
import type { Fault } from '../fault.ts'

/** What `run` emits, one after the other. */
export interface ScenarioStep<Event extends string = WebhookEvent> {
  readonly event: Event
  readonly data?: Readonly<Record<string, unknown>> | undefined
  readonly instanceId?: string | undefined
  /** The fault of this delivery; `'none'` for none, whatever `faultRate` says. */
  readonly fault?: Fault | 'none' | undefined
}

export interface ConversationOptions {
  /**
   * How many conversations, one after the other; `Infinity` goes on for as long as it is asked.
   * @default 1
   */
  readonly rounds?: number | undefined
}

const TEXTS = ['Hi 👋🏽 is the shop open?', 'Doce euros — envío incluido.', 'It left 🚚', 'شكرا']

/**
 * One conversation and how it ends: an instance connects; a message is received, another one is sent,
 * delivered and read; a third one fails; the instance disconnects.
 */
export async function* conversation({
  rounds = 1,
}: ConversationOptions = {}): AsyncGenerator<ScenarioStep, void, undefined> {
  const [person, shop] = ['+15550100', '+15550101']
  for (let round = 0; round < rounds; round++) {
    const message = (number: number) => ({ message_id: `msg_${round * 3 + number}` })
    const text = TEXTS[round % TEXTS.length]
    const received = { ...message(1), from: person, to: shop, text }
    const sent = { ...message(2), from: shop, to: person }
    const failed = { ...message(3), from: shop, to: '+15550102' }
    const error = { code: 131_026, title: 'Undeliverable' }
    yield { event: 'instance.connected', data: { phone: shop } }
    yield { event: 'message.received', data: received }
    yield { event: 'message.sent', data: { ...sent, text } }
    yield { event: 'message.delivered', data: sent }
    yield { event: 'message.read', data: sent }
    yield { event: 'message.failed', data: { ...failed, error } }
    yield { event: 'instance.disconnected', data: { reason: 'logged_out' } }
  }
}
