import type { DynamoDB } from '@aws-sdk/client-dynamodb'

export function startDynamodb(): Promise<{ readonly url: string; stop(): Promise<unknown> }>

export function connectDynamodb(endpoint: string): DynamoDB

export function createTable(endpoint: string, table: string): Promise<void>
