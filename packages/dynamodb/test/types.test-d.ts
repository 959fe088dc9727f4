import { DynamoDB, DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import type { DeliveryStore } from '@webhook-receiver/core'
import { dynamodbStore, tableDefinitionOf } from '@webhook-receiver/dynamodb'
import { expectTypeOf } from 'vitest'

const dynamodb = new DynamoDB()
const client = new DynamoDBClient()

const store = dynamodbStore({ update: (input) => dynamodb.updateItem(input) })
expectTypeOf(store).toEqualTypeOf<DeliveryStore>()
dynamodbStore({ update: (input) => client.send(new UpdateItemCommand(input)), retention: 60 })
void dynamodb.createTable(tableDefinitionOf({ table: 'webhooks' }))

// @ts-expect-error a client is not a function that sends
dynamodbStore({ update: dynamodb })
