import { join } from 'node:path'
import { describeProcesses } from '@webhook-receiver/suites/stores'
import { afterAll, beforeAll } from 'vitest'
import { dynamodbStore } from '../src/index.ts'
import { type Database, openDatabase } from './database.ts'

let database: Database

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database?.stop())

describeProcesses('dynamodb', {
  program: join(import.meta.dirname, 'contender.ts'),
  settings: () => ({ url: database.url, table: database.table }),
  store: () =>
    dynamodbStore({
      table: database.table,
      update: (input) => database.dynamodb.updateItem(input),
    }),
  ids: 20,
})
