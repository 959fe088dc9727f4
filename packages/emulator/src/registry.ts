import { randomUUID } from 'node:crypto'
import { createLine, type Line } from './line.ts'
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

/** The answer to a registration: the one time that the secret is told. */
export interface RegisteredWebhookWithSecret extends RegisteredWebhook {
  readonly secret: string
}

/** A webhook as the emulator keeps it. */
export interface Webhook {
  readonly shown: RegisteredWebhook
  readonly url: URL
  readonly secret: string
  readonly line: Line
}

export interface Registry {
  add(request: RegistrationRequest): Webhook
  all(): readonly Webhook[]
  listeningTo(event: string): readonly Webhook[]
}

/** Keeps the webhooks, in the order of their registration. */
export function createRegistry(now: () => number): Registry {
  const webhooks: Webhook[] = []
  return {
    add({ url, events }) {
      const shown = {
        id: randomUUID(),
        url,
        events: [...new Set(events)],
        created_at: new Date(now()).toISOString(),
      }
      const webhook = { shown, url: new URL(url), secret: newSecret(), line: createLine() }
      webhooks.push(webhook)
      return webhook
    },
    all: () => [...webhooks],
    listeningTo: (event) => webhooks.filter(({ shown }) => shown.events.includes(event)),
  }
}
