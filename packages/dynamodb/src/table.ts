import { checkValue } from '@webhook-receiver/core/store'
import { TABLE, TABLE_NAME, type TableOption } from './options.ts'

/** The input of CreateTable. */
interface TableDefinition {
  TableName: string
  KeySchema: { AttributeName: string; KeyType: 'HASH' }[]
  AttributeDefinitions: { AttributeName: string; AttributeType: 'S' }[]
  BillingMode: 'PAY_PER_REQUEST'
}

/**
 * Returns the table of the store, as input for CreateTable.
 *
 * @throws TypeError for an invalid name.
 */
export function tableDefinitionOf({ table = TABLE }: TableOption = {}): TableDefinition {
  return {
    TableName: checkValue('table', table, TABLE_NAME),
    KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  }
}
