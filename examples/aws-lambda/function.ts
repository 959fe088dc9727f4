import { DynamoDB } from '@aws-sdk/client-dynamodb'
import {
  type DeliveryStore,
  deliveryHandler,
  memoryStore,
  webhookHandler,
} from '@webhook-receiver/aws-lambda'
import { dynamodbStore } from '@webhook-receiver/dynamodb'

export const handler = webhookHandler(
  process.env.WEBHOOK_SECRET,
  deliveryHandler(
    {
      any: async ({ id, event, data }) => {
        console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
      },
    },
    // Ignores duplicates.
    { store: createStore(process.env.WEBHOOK_TABLE) },
  ),
)

/** On Lambda the instances share no memory. On this machine there is one process. */
function createStore(table: string | undefined): DeliveryStore {
  if (!table) return memoryStore()
  // Made once, so that all invocations of an instance share the connection.
  const dynamodb = new DynamoDB()
  return dynamodbStore({ table, update: (input) => dynamodb.updateItem(input) })
}
