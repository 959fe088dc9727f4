import Fastify from 'fastify'

/** Fastify and its own JSON parser, without any verification. */
export default async function floor(_secret, take) {
  const app = Fastify()
  app.post('/webhooks', async (request, reply) => {
    take(request.body)
    reply.code(204)
  })
  await app.ready()
  return app.routing
}
