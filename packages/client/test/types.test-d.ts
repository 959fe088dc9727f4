import { type CreatedWebhook, createWebhookClient } from '@webhook-receiver/client'
import { EVENTS } from '@webhook-receiver/core'
import { expectTypeOf } from 'vitest'

const url = 'https://example.com/webhooks'

// Environment variables compile; that they are set is checked when the client is made.
const client = createWebhookClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.API_KEY })

const created = client.create({ url, events: ['message.received', 'instance.connected'] })
expectTypeOf(created).toEqualTypeOf<Promise<CreatedWebhook>>()
expectTypeOf<CreatedWebhook['secret']>().toEqualTypeOf<string>()
expectTypeOf<CreatedWebhook['record']>().toEqualTypeOf<Readonly<Record<string, unknown>>>()
client.create({ url, events: EVENTS }, { signal: AbortSignal.timeout(1000) })

// @ts-expect-error a misspelled event
client.create({ url, events: ['message.recieved'] })
// @ts-expect-error no events
client.create({ url })
// @ts-expect-error a field that a registration does not have
client.create({ url, events: EVENTS, secret: 'x' })
created.then((webhook) => {
  // @ts-expect-error the secret is read, not written
  webhook.secret = 'x'
})

const extraEvents = ['message.reacted'] as const
const wider = createWebhookClient({ baseUrl: url, apiKey: 'k', extraEvents, fetch })
wider.create({ url, events: ['message.reacted', 'message.read'] })
// @ts-expect-error neither one of the seven nor an extra one
wider.create({ url, events: ['message.edited'] })

// @ts-expect-error the key is missing
createWebhookClient({ baseUrl: url })
