import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request of Express, which is that of Node, or of Fastify, which has that of Node. */
export interface NestRequest {
  readonly raw?: IncomingMessage
  readonly ip?: string
  body?: unknown
}

/** A response of Express, or a reply of Fastify. */
export interface NestReply {
  readonly raw?: ServerResponse
  hijack?(): void
  header(name: string, value: string): void
}

export function rawRequest(request: NestRequest): IncomingMessage {
  return request.raw ?? (request as IncomingMessage)
}

export function rawReply(reply: NestReply): ServerResponse {
  return reply.raw ?? (reply as unknown as ServerResponse)
}
