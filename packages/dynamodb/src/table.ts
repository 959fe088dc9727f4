import { checkValue, type Rule, stringRule } from '@webhook-receiver/core/options'

/** The table where none is named. */
export const TABLE = 'webhook-deliveries'

/** What DynamoDB takes as the name of a table, or its ARN. */
export const TABLE_NAME: Rule<string> = stringRule(
  `a name of 3 to 255 letters, digits, dots, hyphens and underscores, such as '${TABLE}', or an ARN`,
  /^(?:[\w.-]{3,255}|arn:[\w.:/-]{1,1020})$/,
)

/** The attribute by which DynamoDB deletes expired items, if its time to live is turned on. */
export const TTL_ATTRIBUTE = 'ttl'

export interface TableOptions {
  /**
   * The name of the table.
   * @default 'webhook-deliveries'
   */
  readonly table?: string | undefined
}

/** The input of CreateTable. */
export interface TableDefinition {
  TableName: string
  KeySchema: { AttributeName: string; KeyType: 'HASH' }[]
  AttributeDefinitions: { AttributeName: string; AttributeType: 'S' }[]
  BillingMode: 'PAY_PER_REQUEST'
}

/** The table of the store, as input for CreateTable. */
export const TABLE_DEFINITION: TableDefinition = tableDefinitionOf()

/**
 * Returns the definition for a table with another name.
 *
 * @throws TypeError for an invalid name.
 */
export function tableDefinitionOf({ table = TABLE }: TableOptions = {}): TableDefinition {
  return {
    TableName: checkValue('table', table, TABLE_NAME),
    KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  }
}
