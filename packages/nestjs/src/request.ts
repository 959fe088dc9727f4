import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request of Express, which is that of Node, or of Fastify, which has that of Node. */
export interface NestRequest {
  readonly raw?: IncomingMessage
  readonly ip?: string
  readonly originalUrl?: string
  body?: unknown
}

/** A response of Express, or a reply of Fastify. */
export interface NestReply {
  readonly raw?: ServerResponse
  /** On Fastify only. */
  hijack?(): void
  header(name: string, value: string): void
  code(status: number): { send(body: Uint8Array | undefined): unknown }
}

/** The request or the response of Node: on Express they are what Nest gives. */
export function rawOf(given: NestRequest): IncomingMessage
export function rawOf(given: NestReply): ServerResponse
export function rawOf(given: NestRequest | NestReply): unknown {
  return given.raw ?? given
}
