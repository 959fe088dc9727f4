export type { Claim, DeliveryStore } from '@webhook-receiver/core/handling'
export type { DynamodbStoreOptions } from './options.ts'
export { dynamodbStore } from './store.ts'
export {
  TABLE_DEFINITION,
  type TableDefinition,
  type TableOptions,
  TTL_ATTRIBUTE,
  tableDefinitionOf,
} from './table.ts'
export type { AttributeValue, UpdateItem, UpdateItemInput } from './update-item.ts'
