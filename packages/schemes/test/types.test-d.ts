import { memoryStore, type SchemeDelivery, webhookHandler } from '@webhook-receiver/core'
import {
  defineScheme,
  github,
  type line,
  type stripe,
  telnyx,
  type twilio,
  typed,
} from '@webhook-receiver/schemes'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const acme = defineScheme({
  name: 'acme',
  checked: '2026-11-23',
  signature: { header: 'acme-signature', encoding: 'hex' },
  keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
  signed: ['body'],
  id: [{ pointer: '/id' }],
})

test('the kind of a scheme says what its deliveries have', () => {
  expectTypeOf<SchemeDelivery<typeof stripe>['id' | 'event']>().toEqualTypeOf<string>()
  expectTypeOf<SchemeDelivery<typeof line>>().not.toHaveProperty('id')
  expectTypeOf<SchemeDelivery<typeof line>>().not.toHaveProperty('event')
  expectTypeOf<SchemeDelivery<typeof acme>['scheme']>().toEqualTypeOf<'acme'>()
  expectTypeOf<SchemeDelivery<typeof acme>>().not.toHaveProperty('event')
})

test('an id is optional only where the service has events without one', () => {
  expectTypeOf<SchemeDelivery<typeof telnyx>['id']>().toEqualTypeOf<string | undefined>()
  interface Events {
    readonly 'call.hangup': { readonly data: { readonly id: string } }
  }
  const calls = typed<Events>(telnyx)
  expectTypeOf<SchemeDelivery<typeof calls>['id']>().toEqualTypeOf<string | undefined>()
  webhookHandler(
    'key',
    { 'call.hangup': async ({ id, data }) => void [id?.length, data.data.id] },
    { scheme: calls, store: memoryStore() },
  )
  // @ts-expect-error: the id may be absent.
  webhookHandler('key', async ({ id }) => void id.length, { scheme: telnyx })
  const own = defineScheme({ ...acme.value, id: [{ pointer: '/id' }], idIsOptional: true })
  expectTypeOf<SchemeDelivery<typeof own>['id']>().toEqualTypeOf<string | undefined>()
})

test('whether the id is signed follows from what is signed', () => {
  type Kind<Given> = Given extends { readonly kind?: infer Found } ? NonNullable<Found> : never
  expectTypeOf<Kind<typeof stripe>['idSigned']>().toEqualTypeOf<true>()
  expectTypeOf<Kind<typeof acme>['idSigned']>().toEqualTypeOf<true>()
  expectTypeOf<Kind<typeof github>['idSigned']>().toEqualTypeOf<false>()
  expectTypeOf<Kind<typeof twilio>['idSigned']>().toEqualTypeOf<false>()
})

test('a value that is not one does not compile', () => {
  // @ts-expect-error: there is no such algorithm.
  defineScheme({ ...acme.value, keys: [{ algorithm: 'md5', secret: 'text' }] })
  // @ts-expect-error: a part is not a name.
  defineScheme({ ...acme.value, signed: ['id'] })
})

interface Opened {
  readonly action: 'opened'
  readonly number: number
}
interface Closed {
  readonly action: 'closed' | 'reopened'
  readonly by: string
}
interface Events {
  readonly issues: Opened | Closed
  readonly push: { readonly ref: string }
  readonly repository_dispatch: { readonly action: string; readonly branch: string }
}

test('a handler of an action gets the types of its data', () => {
  const scheme = typed<Events>(github)
  webhookHandler(
    'secret',
    {
      'issues.opened': ({ event, action, data }) => {
        expectTypeOf(event).toEqualTypeOf<'issues'>()
        expectTypeOf(action).toEqualTypeOf<string | undefined>()
        expectTypeOf(data).toEqualTypeOf<Opened>()
      },
      'issues.reopened': ({ data }) => expectTypeOf(data).toEqualTypeOf<Closed>(),
      issues: ({ data }) => expectTypeOf(data).toEqualTypeOf<Opened | Closed>(),
      'repository_dispatch.deploy.prod': ({ event, data }) => {
        expectTypeOf(event).toEqualTypeOf<'repository_dispatch'>()
        expectTypeOf(data.branch).toEqualTypeOf<string>()
      },
      'deployment.created': ({ event }) => expectTypeOf(event).toEqualTypeOf<'deployment'>(),
      any: ({ event }) => expectTypeOf(event).toEqualTypeOf<keyof Events | 'deployment'>(),
    },
    { scheme, extraEvents: ['deployment'] },
  )
  // @ts-expect-error: misspelt.
  webhookHandler('secret', { 'issues.opend': () => {} }, { scheme })
  // @ts-expect-error: no type of this event has an action.
  webhookHandler('secret', { 'push.created': () => {} }, { scheme })
  // @ts-expect-error: schemas are by event.
  webhookHandler('secret', () => {}, { scheme, schemas: { 'issues.opened': z.object({}) } })
})
