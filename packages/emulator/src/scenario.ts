import type { WebhookEvent } from '@webhook-receiver/core'

/** What `run` emits, one after the other. */
export interface ScenarioStep<Event extends string = WebhookEvent> {
  readonly event: Event
  readonly data?: Readonly<Record<string, unknown>> | undefined
  readonly instanceId?: string | undefined
}

export interface ConversationOptions {
  /** @default 'inst_01' */
  readonly instanceId?: string | undefined
  /**
   * How many conversations, one after the other; `Infinity` goes on for as long as it is asked.
   * @default 1
   */
  readonly rounds?: number | undefined
}

const QUESTIONS = ['Hi 👋🏽 is the shop open?', '¿Cuánto cuesta?', 'Where is my “parcel”?', 'شكرا']
const ANSWERS = ['Yes, until six.', 'Doce euros — envío incluido.', 'It left this morning 🚚', '👍']

/**
 * One conversation and how it ends: an instance connects; a message is received, the answer is sent,
 * delivered and read; another one fails; the instance disconnects.
 */
export async function* conversation({
  instanceId = 'inst_01',
  rounds = 1,
}: ConversationOptions = {}): AsyncGenerator<ScenarioStep, void, undefined> {
  const [person, shop] = ['+15550100', '+15550101']
  for (let round = 0; round < rounds; round++) {
    const id = (message: number) => `msg_${round * 3 + message}`
    const [question, answer] = [QUESTIONS[round % 4], ANSWERS[round % 4]]
    const sent = { message_id: id(2), from: shop, to: person }
    const lost = { message_id: id(3), from: shop, to: '+15550102' }
    const error = { code: 131_026, title: 'Undeliverable' }
    yield { event: 'instance.connected', data: { phone: shop }, instanceId }
    yield {
      event: 'message.received',
      data: { message_id: id(1), from: person, to: shop, text: question },
      instanceId,
    }
    yield { event: 'message.sent', data: { ...sent, text: answer }, instanceId }
    yield { event: 'message.delivered', data: sent, instanceId }
    yield { event: 'message.read', data: sent, instanceId }
    yield { event: 'message.failed', data: { ...lost, error }, instanceId }
    yield { event: 'instance.disconnected', data: { reason: 'logged_out' }, instanceId }
  }
}
