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
export function case1(): void {
  const delivery = parseStoredDelivery('', { schemas })
  if (!delivery.known) return
  if (delivery.event === 'message.received') {
    expectTypeOf(delivery.data.data).toEqualTypeOf<{
      text: string
      at: string
      note?: string | undefined
    }>()
  }
  if (delivery.event === 'message.sent') {
    expectTypeOf(delivery.data.data[0]).toEqualTypeOf<number>()
    expectTypeOf(delivery.data.data[1]).toEqualTypeOf<Readonly<Record<never, never>>>()
  }
}

// Extra events are known, and others do not compile.
export function case3(): void {
  const delivery = parseStoredDelivery('', { extraEvents: ['message.reacted'] })
  if (delivery.known && delivery.event === 'message.reacted') delivery.data.instance_id
  const other = parseStoredDelivery('')
  // @ts-expect-error: nothing says that there is such an event
  if (other.known && other.event === 'message.reacted') other.data.instance_id
}

// JSON leaves values and takes the rest.
export function case4(): void {
  const wide = z.object({
    value: z.union([z.date(), z.null(), z.literal(1)]),
    list: z.array(z.date()).readonly(),
    unknown: z.unknown(),
    big: z.bigint(),
  })
  const delivery = parseStoredDelivery('', { schemas: { 'message.read': wide } })
  if (!delivery.known || delivery.event !== 'message.read') return
  const { data } = delivery.data
  expectTypeOf(data.value).toEqualTypeOf<string | null | 1>()
  expectTypeOf(data.list).toEqualTypeOf<readonly string[]>()
  expectTypeOf(data.unknown).toEqualTypeOf<unknown>()
  expectTypeOf(data.big).toEqualTypeOf<never>()
}

// Where several schemes share a queue, the data says which it is.
export function among(): void {
  const delivery = parseStoredDelivery('', { schemes: [bodyScheme] })
  if ('scheme' in delivery) {
    expectTypeOf(delivery.scheme).toEqualTypeOf<'body'>()
  } else {
    expectTypeOf(delivery).toEqualTypeOf<StoredDelivery>()
  }
  // @ts-expect-error the schemas belong to one of them
  parseStoredDelivery('', { schemes: [bodyScheme], schemas })
}
