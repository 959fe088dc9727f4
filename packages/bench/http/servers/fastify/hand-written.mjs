import Fastify from 'fastify'
import { signatureMatches } from '../textbook.mjs'

/** What tutorials show: a parser that keeps the bytes, and the check in the handler. */
export default async function handWritten(secret, take) {
  const app = Fastify()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  app.post('/webhooks', async (request, reply) => {
    const { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp } = request.headers
    if (!signatureMatches(secret, timestamp, request.body, signature)) {
      reply.code(401)
      return
    }
    take(JSON.parse(request.body.toString()))
    reply.code(204)
  })
  await app.ready()
  return app.routing
}
