import { randomUUID } from 'node:crypto'
import { createDeliveryOrder, type DeliveryOrder } from './order.ts'

/** The body of a registration (contract, section 2). */
export interface RegistrationRequest {
  readonly url: string
  readonly events: readonly string[]
}

/** A webhook without its secret. The contract names only `secret`; the other fields are the emulator's own. */
export interface RegisteredWebhook extends RegistrationRequest {
  readonly id: string
  readonly created_at: string
}

/** The response to a registration, which alone has the secret. */
export interface RegisteredWebhookWithSecret extends RegisteredWebhook {
  readonly secret: string
}

/** A webhook as the emulator keeps it. */
export interface Webhook {
  readonly details: RegisteredWebhook
  readonly url: URL
  readonly secret: string
  readonly order: DeliveryOrder
  /** Aborted when the receiver responds with 410 (Gone): nothing more is sent to it. */
  readonly ended: AbortController
}

export interface Registry {
  /** `undefined` if there are MAX_WEBHOOKS already. */
  add(request: RegistrationRequest, secret: string): Webhook | undefined
  all(): readonly Webhook[]
  listeningTo(event: string): readonly Webhook[]
}

/** Keeps the webhooks, in the order of their registration. */
export function createRegistry(now: () => number): Registry {
  const webhooks: Webhook[] = []
  const live = () => webhooks.filter(({ ended }) => !ended.signal.aborted)
  return {
    add({ url, events }, secret) {
      if (live().length >= MAX_WEBHOOKS) return undefined
      const created_at = new Date(now()).toISOString()
      const details = { id: randomUUID(), url, events: [...new Set(events)], created_at }
      const order = createDeliveryOrder()
      const ended = new AbortController()
      const webhook = { details, url: new URL(url), secret, order, ended }
      webhooks.push(webhook)
      return webhook
    },
    all: live,
    listeningTo: (event) => live().filter(({ details }) => details.events.includes(event)),
  }
}

/** How many webhooks there can be: each gets every delivery, so a program that registers in a loop should notice. */
const MAX_WEBHOOKS = 100

/** The message if `add` returns `undefined`. */
export const TOO_MANY_WEBHOOKS: string = `The emulator already has ${MAX_WEBHOOKS} webhooks, which is its limit. Restart it.`
