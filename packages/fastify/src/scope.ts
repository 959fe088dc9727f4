import type { Received } from '@webhook-receiver/core'
import { type AdapterReceiver, attach, responseTo } from '@webhook-receiver/core/adapter'
import { incomingReceiver } from '@webhook-receiver/node/adapter'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FASTIFY } from './incoming.ts'
import { respond, takeOver } from './response.ts'

/**
 * Verifies every request to the routes of a scope before its body is parsed.
 *
 * @throws TypeError if `instance` is not a scope of Fastify.
 */
export function protectScope(
  instance: FastifyInstance,
  receiver: AdapterReceiver<unknown, FastifyRequest>,
  forwardErrors: boolean | undefined,
): void {
  if (typeof Object(instance).addHook !== 'function') {
    throw new TypeError(
      'webhookMiddleware and webhookHandler return plugins: write app.register(webhookMiddleware(secret)), not as a hook or a handler.',
    )
  }
  const receive = incomingReceiver(receiver, FASTIFY)
  for (const name of ['delivery', 'verification']) {
    if (!instance.hasRequestDecorator(name)) instance.decorateRequest(name, undefined)
  }
  instance.addHook('preParsing', (request, reply, _payload, done) => {
    receive(request.raw, reply.raw, request, () => takeOver(reply)).then(
      (received) => {
        if (!received) return
        try {
          attachTo(request, received)
        } catch (error) {
          return done(error as Error)
        }
        done()
      },
      (error) => {
        const response = responseTo(error, forwardErrors)
        if (response) respond(reply, response)
        else done(error)
      },
    )
  })
  replaceParsers(instance)
  instance.addHook('onRegister', replaceParsers)
}

function attachTo(request: FastifyRequest, received: Received<unknown>): void {
  attach(request, received)
  // What was verified is JSON. Fastify responds with 415 to a media type that it cannot read, before any parser.
  request.headers['content-type'] = 'application/json'
}

/**
 * Makes the delivery the body, in place of every parser of the scope. The hook has read the stream, so any
 * other parser would wait for it without end: also one that is added later, which is why this waits for the
 * start of the application.
 */
function replaceParsers(scope: FastifyInstance): void {
  scope.addHook('onReady', async () => {
    scope.removeAllContentTypeParsers()
    // By its name as well, because Fastify looks up the one for all the others again for each request.
    scope.addContentTypeParser(['application/json', '*'], (request, _stream, done) =>
      done(null, request.delivery),
    )
  })
}
