import type { DeliveryStore } from '@webhook-receiver/core'
import { redisStore, type SendCommand } from '@webhook-receiver/redis'
import { expectTypeOf } from 'vitest'

declare function list(command: readonly string[]): Promise<unknown>
declare function spread(name: string, ...args: string[]): Promise<unknown>

// Fits clients that take a list, and those that take a name and arguments.
expectTypeOf(redisStore({ send: list })).toEqualTypeOf<DeliveryStore>()
redisStore({ send: (command) => spread(...command) })

// A cluster is told the key.
expectTypeOf<Parameters<SendCommand>[1]>().toEqualTypeOf<string>()

// @ts-expect-error without a client there is no store
redisStore({ prefix: 'webhook:' })
