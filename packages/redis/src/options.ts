import {
  functionRule,
  hidden,
  type StoreOptions,
  type StoreOptionTable,
  stringRule,
} from '@webhook-receiver/core/store'

/** One command with its arguments. */
export type RedisCommand = readonly [name: 'SET' | 'EVALSHA' | 'EVAL', ...args: string[]]

/**
 * Sends one command and resolves to its reply. Rejects if Redis replies with an error or does not reply. `key` is the only
 * key of the command, which a cluster of node-redis needs.
 */
export type SendCommand = (command: RedisCommand, key: string) => Promise<unknown>

/** The options of the store. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface RedisStoreOptions extends StoreOptions {
  /** Sends a command with the client of the application, such as `(command) => redis.call(...command)`. */
  readonly send: SendCommand
  /**
   * The beginning of each key in Redis. Anything but a string is a TypeError.
   * @default 'webhook:'
   */
  readonly prefix?: string | undefined
}

export const OPTIONS: StoreOptionTable<RedisStoreOptions> = {
  send: [
    hidden(
      functionRule(
        'a function, such as (command) => redis.call(...command) with ioredis or (command) => client.sendCommand(command) with node-redis',
      ),
    ),
  ],
  prefix: [stringRule('a string, such as "webhook:"', /^/), 'webhook:'],
}
