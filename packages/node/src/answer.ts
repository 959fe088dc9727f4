import type { ServerResponse } from 'node:http'
import type { WebhookError } from '@webhook-receiver/core'

// Both without writeHead: Node knows the length only where headers and body come together, and sends chunks otherwise.

/** Answers with what the sender may be told of a refusal. */
export function refuse(res: ServerResponse, error: WebhookError): void {
  res.setHeader('Content-Type', 'application/json')
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value)
  res.statusCode = error.status
  res.end(JSON.stringify(error))
}

/** Answers without a body. */
export function answer(res: ServerResponse, status: number): void {
  res.statusCode = status
  res.end()
}
