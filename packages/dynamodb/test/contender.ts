// One of several processes that receive the same deliveries, for processes.test.ts.
import { contend, settings } from '@webhook-receiver/checks/contend.mjs'
import { connectDynamodb } from '@webhook-receiver/checks/dynamodb.mjs'
import { dynamodbStore } from '../src/index.ts'

const { url = '', table = '' } = settings
const dynamodb = connectDynamodb(url)
contend({ store: dynamodbStore({ table, update: (input) => dynamodb.updateItem(input) }) })
