import { fileURLToPath } from 'node:url'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { tableDefinitionOf } from '@webhook-receiver/dynamodb'
import { freePorts } from './free-ports.mjs'
import { startProgram } from './program.mjs'

const DYNALITE = fileURLToPath(import.meta.resolve('dynalite/cli.js'))

/**
 * Starts a DynamoDB in the memory of a separate process, on a separate port: dynalite.
 *
 * @returns {Promise<{ readonly url: string, stop(): Promise<unknown> }>}
 */
export async function startDynamodb() {
  const [port] = await freePorts(1)
  const settings = ['--host', '127.0.0.1', '--port', String(port), '--createTableMs', '0']
  const program = startProgram(process.execPath, [DYNALITE, ...settings])
  const url = await program.printed(/listening at: (http:\S+)/)
  return { url, stop: () => program.stop() }
}

/** With which the SDK of AWS connects to it by default. */
export function dynamodbEnv(url) {
  return {
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  }
}

/** A client for it, which sends again what fails, as it does by default. */
export function connectDynamodb(endpoint) {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  return new DynamoDB({ endpoint, region: 'local', credentials })
}

/** The table of the store, which is there at once. */
export async function createTable(endpoint, table) {
  const dynamodb = connectDynamodb(endpoint)
  await dynamodb.createTable(tableDefinitionOf({ table }))
  dynamodb.destroy()
}
