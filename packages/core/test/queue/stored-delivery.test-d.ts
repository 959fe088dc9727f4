import { parseStoredDelivery, type StoredDelivery } from '@webhook-receiver/core'
import { bodyScheme } from '@webhook-receiver/suites'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

const schemas = {
  'message.received': z.object({
    text: z.string(),
    at: z.coerce.date(),
    note: z.string().optional(),
  }),
  'message.sent': z.object({ n: z.string() }).transform(({ n }) => [Number(n), new Map()] as const),
}

// A stored delivery has the type of what JSON leaves of it.
const stored = parseStoredDelivery('', { schemas, extraEvents: ['message.reacted'] })
if (stored.known && stored.event === 'message.received') {
  expectTypeOf(stored.data.data).toEqualTypeOf<{
    text: string
    at: string
    note?: string | undefined
  }>()
}
if (stored.known && stored.event === 'message.sent') {
  expectTypeOf(stored.data.data[0]).toEqualTypeOf<number>()
  expectTypeOf(stored.data.data[1]).toEqualTypeOf<Readonly<Record<never, never>>>()
}

// Extra events are known, and others do not compile.
if (stored.known && stored.event === 'message.reacted') stored.data.instance_id
const other = parseStoredDelivery('')
// @ts-expect-error: nothing says that there is such an event
if (other.known && other.event === 'message.reacted') other.data.instance_id

// JSON leaves values and takes the rest.
const wide = z.object({
  value: z.union([z.date(), z.null(), z.literal(1)]),
  list: z.array(z.date()).readonly(),
  unknown: z.unknown(),
  big: z.bigint(),
})
const read = parseStoredDelivery('', { schemas: { 'message.read': wide } })
if (read.known && read.event === 'message.read') {
  expectTypeOf(read.data.data).toEqualTypeOf<{
    value: string | null | 1
    list: readonly string[]
    unknown: unknown
    big: never
  }>()
}

// Where several schemes share a queue, the data says which it is.
const among = parseStoredDelivery('', { schemes: [bodyScheme] })
if ('scheme' in among) expectTypeOf(among.scheme).toEqualTypeOf<'body'>()
else expectTypeOf(among).toEqualTypeOf<StoredDelivery>()
// @ts-expect-error the schemas belong to one of them
parseStoredDelivery('', { schemes: [bodyScheme], schemas })
