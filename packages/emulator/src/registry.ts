import { randomUUID } from 'node:crypto'
import { createDeliveryOrder, type DeliveryOrder } from './delivery-order.ts'
import type { ResolvedOptions } from './resolved-options.ts'
import { newSecret } from './tampering.ts'

/** What is asked for at registration (contract, section 2). */
export interface RegistrationRequest {
  readonly url: string
  readonly events: readonly string[]
}

/** A webhook as it may be shown. The contract names only `secret`; the other fields are the emulator's own. */
export interface RegisteredWebhook extends RegistrationRequest {
  readonly id: string
  readonly created_at: string
}

/** The answer to a registration: the one time that the secret is sent. */
export interface RegisteredWebhookWithSecret extends RegisteredWebhook {
  readonly secret: string
}

/** A webhook as the emulator keeps it. */
export interface Webhook {
  readonly shown: RegisteredWebhook
  readonly url: URL
  readonly secret: string
  readonly order: DeliveryOrder
}

export interface Registry {
  /** `undefined` where there are as many webhooks as there may be. */
  add(request: RegistrationRequest): Webhook | undefined
  all(): readonly Webhook[]
  listeningTo(event: string): readonly Webhook[]
}

/** Keeps the webhooks, in the order of their registration. */
export function createRegistry({
  now,
  maxWebhooks,
}: Pick<ResolvedOptions, 'now' | 'maxWebhooks'>): Registry {
  const webhooks: Webhook[] = []
  return {
    add({ url, events }) {
      if (webhooks.length >= maxWebhooks) return undefined
      const shown = {
        id: randomUUID(),
        url,
        events: [...new Set(events)],
        created_at: new Date(now()).toISOString(),
      }
      const webhook = {
        shown,
        url: new URL(url),
        secret: newSecret(),
        order: createDeliveryOrder(),
      }
      webhooks.push(webhook)
      return webhook
    },
    all: () => [...webhooks],
    listeningTo: (event) => webhooks.filter(({ shown }) => shown.events.includes(event)),
  }
}

/** What to say where `add` gave nothing. */
export function tooManyWebhooks(limit: number): string {
  return `The emulator has ${limit} webhooks, which is its limit: start it anew, or raise \`maxWebhooks\`.`
}
