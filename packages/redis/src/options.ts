import {
  checkOptions,
  functionRule,
  hidden,
  type OptionTable,
  RETENTION,
  stringRule,
} from '@webhook-receiver/core/options'
import { milliseconds } from './milliseconds.ts'

/** One command with its arguments. Its only key is the fourth member. */
export type RedisCommand = readonly [
  name: 'EVAL',
  script: string,
  keys: '1',
  key: string,
  ...args: string[],
]

/** Sends one command and resolves to its reply. Rejects if Redis answers with an error or does not answer. */
export type SendCommand = (command: RedisCommand) => Promise<unknown>

/** The options of the store. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface RedisStoreOptions {
  /** Sends a command with the client of the application, such as `(command) => redis.call(...command)`. */
  readonly send: SendCommand
  /**
   * The beginning of each key in Redis. Anything but a string is a TypeError.
   * @default 'webhook:'
   */
  readonly prefix?: string | undefined
  /**
   * How long a done mark is kept, in seconds. Anything but a number above 0 is a TypeError.
   * @default 259_200
   */
  readonly retention?: number | undefined
}

/** The options with every default in its place. */
export interface ResolvedOptions {
  readonly send: SendCommand
  readonly prefix: string
  /** `retention` as Redis wants it: whole milliseconds, in a string. */
  readonly retention: string
}

/** The defaults, in the units of the options: 72 hours. */
export const DEFAULTS = { prefix: 'webhook:', retention: 259_200 } as const

const OPTIONS = {
  send: [
    hidden(
      functionRule<SendCommand>(
        'a function, such as (command) => redis.call(...command) with ioredis or (command) => client.sendCommand(command) with node-redis',
      ),
    ),
  ],
  prefix: [
    stringRule(`a string, such as ${JSON.stringify(DEFAULTS.prefix)}`, /^/),
    DEFAULTS.prefix,
  ],
  retention: [RETENTION, DEFAULTS.retention],
} as const satisfies { readonly [Name in keyof Required<RedisStoreOptions>]: OptionTable[string] }

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  const example = '{ send: (command) => redis.call(...command) }'
  const { retention, ...others } = checkOptions(options, OPTIONS, example)
  return { ...others, retention: milliseconds('retention', retention) }
}
