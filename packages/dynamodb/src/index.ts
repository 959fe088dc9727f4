export type { DynamodbStoreOptions } from './options.ts'
export { dynamodbStore } from './store.ts'
export { tableDefinitionOf } from './table.ts'
export type { UpdateItem } from './update-item.ts'
