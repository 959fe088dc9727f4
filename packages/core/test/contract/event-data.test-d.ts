import { createReceiver, type Delivery } from '@webhook-receiver/core'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

// Merging holds for the whole program, so this file uses an event that no other file names.
declare module '@webhook-receiver/core' {
  interface EventData {
    'core.merged': { readonly merged: number }
  }
}

type Open = Readonly<Record<string, unknown>>

// An entry types the content of its event, once that is known, and of no other.
const receiver = createReceiver('whsec_1', { extraEvents: ['core.merged', 'core.other'] })
const { delivery } = await receiver.receiveRequest(new Request('http://localhost/'))
if (delivery.known && delivery.event === 'core.merged') {
  expectTypeOf(delivery.data.data).toEqualTypeOf<{ readonly merged: number }>()
  // @ts-expect-error not in the entry
  delivery.data.data.other
}
if (delivery.known && delivery.event === 'core.other') {
  expectTypeOf(delivery.data.data).toEqualTypeOf<Open>()
}

// It adds no event to those that are known.
expectTypeOf<Extract<Delivery, { event: 'core.merged' }>>().toEqualTypeOf<never>()

// A schema counts for more than an entry.
const validated = createReceiver('whsec_1', {
  extraEvents: ['core.merged'],
  schemas: { 'core.merged': z.object({ validated: z.string() }) },
})
const { delivery: other } = await validated.receiveRequest(new Request('http://localhost/'))
if (other.known && other.event === 'core.merged') {
  expectTypeOf(other.data.data).toEqualTypeOf<{ validated: string }>()
}
