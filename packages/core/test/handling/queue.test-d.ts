import { createDeliveryHandler } from '@webhook-receiver/core/handling'
import { parseStoredDelivery, type Stored } from '@webhook-receiver/core/stored'
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
  if (delivery.event === 'message.read') {
    expectTypeOf(delivery.data.data).toEqualTypeOf<Readonly<Record<string, unknown>>>()
  }
}

// Without schemas it is a Delivery.
export async function case2(): Promise<void> {
  const handle = createDeliveryHandler({ any: () => {} })
  await handle(parseStoredDelivery(''))
}

// Extra events are known, and others do not compile.
export function case3(): void {
  const delivery = parseStoredDelivery('', { extraEvents: ['message.reacted'] })
  if (delivery.known && delivery.event === 'message.reacted') delivery.data.instance_id
  const other = parseStoredDelivery('')
  // @ts-expect-error: nothing says that there is such an event
  if (other.known && other.event === 'message.reacted') other.data.instance_id
  // @ts-expect-error: a schema for what is not an event
  parseStoredDelivery('', { schemas: { 'message.recieved': z.object() } })
}

// JSON leaves values and takes the rest.
export function case4(): void {
  expectTypeOf<Stored<Date | null | 1>>().toEqualTypeOf<string | null | 1>()
  expectTypeOf<Stored<readonly Date[]>>().toEqualTypeOf<readonly string[]>()
  expectTypeOf<Stored<{ readonly a: { b: Date } }>>().toEqualTypeOf<{ readonly a: { b: string } }>()
  expectTypeOf<Stored<unknown>>().toEqualTypeOf<unknown>()
  expectTypeOf<Stored<bigint>>().toEqualTypeOf<never>()
}
