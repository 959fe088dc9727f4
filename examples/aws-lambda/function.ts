import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { type DeliveryStore, memoryStore, webhookHandler } from '@webhook-receiver/aws-lambda'
import { diagnose } from '@webhook-receiver/diagnose'
import { dynamodbStore } from '@webhook-receiver/dynamodb'

export const handler = webhookHandler(
  process.env.WEBHOOK_SECRET,
  {
    any: async ({ id, event, data }) => {
      console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
    },
  },
  // Ignores duplicates, and names the cause when a signature does not match.
  { store: createStore(process.env.WEBHOOK_TABLE), diagnose },
)

/** On Lambda the instances share no memory. On this machine there is one process. */
function createStore(table: string | undefined): DeliveryStore {
  if (!table) return memoryStore()
  // Made once, so that all invocations of an instance share the connection.
  const dynamodb = new DynamoDB()
  return dynamodbStore({ table, update: (input) => dynamodb.updateItem(input) })
}
