import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { connectDynamodb, createTable, startDynamodb } from '@webhook-receiver/checks/dynamodb.mjs'

/** A DynamoDB with a table of its own. */
export interface Database {
  readonly url: string
  readonly table: string
  readonly dynamodb: DynamoDB
  stop(): Promise<void>
}

export async function openDatabase({ returnsItems = false } = {}): Promise<Database> {
  const { url: own, stop } = await startDynamodb()
  const front = returnsItems ? await withItems(own) : { url: own, stop: async () => {} }
  const table = 'webhook-test'
  await createTable(own, table)
  const dynamodb = connectDynamodb(front.url)
  return {
    url: front.url,
    table,
    dynamodb,
    async stop() {
      dynamodb.destroy()
      await front.stop()
      await stop()
    },
  }
}

/**
 * A server in front of dynalite that does what DynamoDB does with `ReturnValuesOnConditionCheckFailure`, which dynalite
 * ignores: the response to a condition that does not hold has the item. Each request has its own connection: dynalite closes idle ones.
 */
async function withItems(url: string) {
  const dynamodb = connectDynamodb(url)
  const server = createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray())
    const headers = { ...req.headers, host: undefined, connection: 'close' }
    const passed = Object.entries(headers).filter(([, value]) => value !== undefined)
    const result = await fetch(url, {
      method: 'POST',
      headers: Object.fromEntries(passed) as Record<string, string>,
      body,
    })
    const { TableName, Key, ReturnValuesOnConditionCheckFailure } = JSON.parse(body.toString())
    const content = await result.json()
    const failed = content.__type?.endsWith('ConditionalCheckFailedException')
    if (failed && ReturnValuesOnConditionCheckFailure === 'ALL_OLD') {
      content.Item = (await dynamodb.getItem({ TableName, Key })).Item
    }
    res.writeHead(result.status, { 'Content-Type': 'application/x-amz-json-1.0' })
    res.end(JSON.stringify(content))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      dynamodb.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}
