import {
  CLOCK,
  functionRule,
  hidden,
  type Rule,
  type StoreOptions,
  type StoreOptionTable,
  stringRule,
} from '@webhook-receiver/core/store'
import type { UpdateItem } from './update-item.ts'

export interface TableOption {
  /**
   * The name of the table, or its ARN. Anything else is a TypeError.
   * @default 'webhook-deliveries'
   */
  readonly table?: string | undefined
}

/** The table where none is named. */
export const TABLE = 'webhook-deliveries'

/** What DynamoDB takes as the name of a table, or its ARN. */
export const TABLE_NAME: Rule<string> = stringRule(
  `a name of 3 to 255 letters, digits, dots, hyphens and underscores, such as '${TABLE}', or an ARN`,
  /^(?:[\w.-]{3,255}|arn:[\w.:/-]{1,1020})$/,
)

/** The options of the store. They are checked once, when the store is created. An invalid one is a TypeError. */
export interface DynamodbStoreOptions extends StoreOptions, TableOption {
  /** Sends an UpdateItem with the client of the application, such as `(input) => dynamodb.updateItem(input)`. */
  readonly update: UpdateItem
  /**
   * The clock: milliseconds since the epoch. A condition of DynamoDB cannot read the time.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
}

export const OPTIONS: StoreOptionTable<DynamodbStoreOptions> = {
  update: [hidden(functionRule('a function, such as (input) => dynamodb.updateItem(input)'))],
  table: [TABLE_NAME, TABLE],
  now: [CLOCK, () => Date.now()],
}
