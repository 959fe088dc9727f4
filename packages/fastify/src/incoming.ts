import type { Framework } from '@webhook-receiver/node/adapter'
import type { FastifyRequest } from 'fastify'

/** What Fastify knows of its requests. */
export const FASTIFY: Framework<FastifyRequest> = {
  holder: (request) => request,
  address: (request) => request.ip,
  url: (request) => request.originalUrl,
  advice:
    'Register the receiver in a separate scope. What reads bodies in a preParsing hook, or by express.json(), belongs in another one.',
}
