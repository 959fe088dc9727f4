import { memoryStore, type SchemeDelivery, webhookHandler } from '@webhook-receiver/core'
import {
  appStore,
  googlePubSub,
  jwtScheme,
  livekit,
  type qstash,
  type Unsigned,
} from '@webhook-receiver/jwt'
import { expectTypeOf } from 'vitest'

type Body = Readonly<Record<string, unknown>>
const pubsub = googlePubSub({ audience: 'https://example.com' })
const store = memoryStore()

expectTypeOf<SchemeDelivery<typeof pubsub>>().toEqualTypeOf<{
  readonly scheme: 'google-pubsub'
  readonly id: string
  readonly data: Unsigned<Body>
}>()
expectTypeOf<SchemeDelivery<typeof livekit>['event']>().toEqualTypeOf<string>()
expectTypeOf<SchemeDelivery<typeof qstash>['data']>().toEqualTypeOf<Body>()

webhookHandler('a@b.example', ({ id }) => id, { scheme: pubsub, store, duplicates: 'id' })
// @ts-expect-error The id is not signed, so whoever keeps deliveries has to choose.
webhookHandler('a@b.example', ({ id }) => id, { scheme: pubsub, store })
// @ts-expect-error By what is signed, all deliveries are the same.
webhookHandler('a@b.example', ({ id }) => id, { scheme: pubsub, store, duplicates: 'body' })
// @ts-expect-error It has no names of events.
webhookHandler('a@b.example', { created: () => {} }, { scheme: pubsub })

// Its id is signed.
webhookHandler('secret', { room_started: ({ id }) => id }, { scheme: livekit, store })
webhookHandler(
  'com.example.app',
  { 'SUBSCRIBED.INITIAL_BUY': ({ action, data }) => [action, data], any: ({ event }) => event },
  { scheme: appStore({ environment: 'Sandbox' }), store },
)

// @ts-expect-error An audience is required.
googlePubSub({})
const own = jwtScheme({
  name: 'acme',
  token: { header: 'x-token' },
  algorithm: 'HS256',
  keys: 'secret',
  body: 'unsigned',
  id: { header: 'x-id' },
})
expectTypeOf<SchemeDelivery<typeof own>>().toEqualTypeOf<{
  readonly scheme: 'acme'
  readonly id: string
  readonly data: Unsigned<Body>
}>()
