import {
  CLOCK,
  checkOptions,
  functionRule,
  hidden,
  type OptionTable,
  RETENTION,
} from '@webhook-receiver/core/options'
import { TABLE, TABLE_NAME } from './table.ts'
import type { UpdateItem } from './update-item.ts'

/** The options of the store. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface DynamodbStoreOptions {
  /** Sends an UpdateItem with the client of the application, such as `(input) => dynamodb.updateItem(input)`. */
  readonly update: UpdateItem
  /**
   * The name of the table, or its ARN. Anything else is a TypeError.
   * @default 'webhook-deliveries'
   */
  readonly table?: string | undefined
  /**
   * How long a done mark is kept, in seconds. Anything but a number above 0 is a TypeError.
   * @default 259_200
   */
  readonly retention?: number | undefined
  /**
   * The clock: milliseconds since the epoch. A condition of DynamoDB cannot read the time.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
}

/** The options with every default in its place. */
export type ResolvedOptions = {
  readonly [Name in keyof DynamodbStoreOptions]-?: NonNullable<DynamodbStoreOptions[Name]>
}

/** The defaults, in the units of the options: 72 hours. */
export const DEFAULTS = { retention: 259_200 } as const

const OPTIONS = {
  update: [
    hidden(functionRule<UpdateItem>('a function, such as (input) => dynamodb.updateItem(input)')),
  ],
  table: [TABLE_NAME, TABLE],
  retention: [RETENTION, DEFAULTS.retention],
  now: [CLOCK, Date.now],
} as const satisfies {
  readonly [Name in keyof Required<DynamodbStoreOptions>]: OptionTable[string]
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  return checkOptions(options, OPTIONS, '{ update: (input) => dynamodb.updateItem(input) }')
}
