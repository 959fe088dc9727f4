import { createReceiver, type SchemeDelivery, webhookHandler } from '@webhook-receiver/core'
import {
  defineScheme,
  type github,
  line,
  type openai,
  type replicate,
  stripe,
  type twilio,
} from '@webhook-receiver/schemes'
import { expectTypeOf, test } from 'vitest'

const acme = defineScheme({
  name: 'acme',
  checked: '2026-11-23',
  signature: { header: 'acme-signature', encoding: 'hex' },
  keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
  signed: ['body'],
  id: [{ pointer: '/id' }],
})

test('the kind of a scheme says what its deliveries have', () => {
  expectTypeOf<SchemeDelivery<typeof stripe>>().toHaveProperty('id').toEqualTypeOf<string>()
  expectTypeOf<SchemeDelivery<typeof stripe>>().toHaveProperty('event').toEqualTypeOf<string>()
  expectTypeOf<SchemeDelivery<typeof line>>().not.toHaveProperty('id')
  expectTypeOf<SchemeDelivery<typeof line>>().not.toHaveProperty('event')
  expectTypeOf<SchemeDelivery<typeof acme>>().toHaveProperty('scheme').toEqualTypeOf<'acme'>()
  expectTypeOf<SchemeDelivery<typeof acme>>().not.toHaveProperty('event')
})

test('whether the id is signed follows from what is signed', () => {
  type Kind<Given> = Given extends { readonly kind?: infer Found } ? NonNullable<Found> : never
  expectTypeOf<Kind<typeof stripe>['idSigned']>().toEqualTypeOf<true>()
  expectTypeOf<Kind<typeof acme>['idSigned']>().toEqualTypeOf<true>()
  expectTypeOf<Kind<typeof github>['idSigned']>().toEqualTypeOf<false>()
  expectTypeOf<Kind<typeof twilio>['idSigned']>().toEqualTypeOf<false>()
})

test('a service that signs as another has its own name and events', () => {
  expectTypeOf<SchemeDelivery<typeof openai>>().toHaveProperty('scheme').toEqualTypeOf<'openai'>()
  expectTypeOf<SchemeDelivery<typeof openai>>().toHaveProperty('event').toEqualTypeOf<string>()
  expectTypeOf<SchemeDelivery<typeof replicate>>().toHaveProperty('id').toEqualTypeOf<string>()
  expectTypeOf<SchemeDelivery<typeof replicate>>().not.toHaveProperty('event')
})

test('a receiver of a scheme hands out its deliveries', () => {
  const receiver = createReceiver('secret', { scheme: stripe })
  expectTypeOf(receiver.receiveRequest)
    .returns.resolves.toHaveProperty('delivery')
    .toEqualTypeOf<SchemeDelivery<typeof stripe>>()
  webhookHandler('secret', { 'invoice.paid': async ({ data }) => void data }, { scheme: stripe })
  // @ts-expect-error: LINE has no names of events.
  webhookHandler('secret', { message: async () => {} }, { scheme: line })
})

test('a value that is not one does not compile', () => {
  // @ts-expect-error: there is no such algorithm.
  defineScheme({ ...acme.value, keys: [{ algorithm: 'md5', secret: 'text' }] })
  // @ts-expect-error: a part is not a name.
  defineScheme({ ...acme.value, signed: ['id'] })
})
