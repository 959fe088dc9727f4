import { getRequestListener } from '@hono/node-server'
import * as onExpress from '@webhook-receiver/express'
import * as onFastify from '@webhook-receiver/fastify'
import * as onHono from '@webhook-receiver/hono'
import * as onKoa from '@webhook-receiver/koa'
import * as onNode from '@webhook-receiver/node'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { show } from './show.mjs'

/** What the plain Node application gives away where it is told to, so that it is known to be found. */
export const LEAKS = ['secret', 'mac', 'body']

/**
 * An application of each framework, with the logging that it has by itself, which shows each error that
 * takes the framework's path, and each message of the channels. Resolves to a listener for node:http.
 */
export const applications = {
  node: ({ secret, path, now, leak }) => {
    const options = { path, now, ...onNode.receiverDiagnostics() }
    const handle = onNode.deliveryHandler(...handling(onNode))
    if (!leak) return onNode.webhookListener(secret, handle, options)
    return leaking(leak, secret, onNode.webhookListener(secret, handle, options))
  },

  express: ({ secret, path, now }) => {
    const app = express()
    const options = { now, ...onExpress.receiverDiagnostics() }
    app.post(
      path,
      onExpress.webhookMiddleware(secret, options),
      onExpress.deliveryHandler(...handling(onExpress)),
    )
    app.use((error, _req, _res, next) => {
      show(error)
      next(error)
    })
    return app
  },

  fastify: async ({ secret, path, now }) => {
    const app = Fastify({ logger: true })
    app.addHook('onError', async (_request, _reply, error) => show(error))
    app.register(async (scope) => {
      const options = { secret, now, ...onFastify.receiverDiagnostics() }
      await scope.register(onFastify.webhookPlugin, options)
      scope.post(path, onFastify.deliveryHandler(...handling(onFastify)))
    })
    await app.ready()
    return app.routing
  },

  hono: ({ secret, path, now }) => {
    const app = new Hono()
    app.use(async (c, next) => {
      await next()
      if (c.error) show(c.error)
    })
    const options = { now, ...onHono.receiverDiagnostics() }
    app.post(
      path,
      onHono.webhookMiddleware(secret, options),
      onHono.deliveryHandler(...handling(onHono)),
    )
    return getRequestListener(app.fetch)
  },

  koa: ({ secret, path, now }) => {
    const app = new Koa()
    // Koa also tells of what Node's parser refused, with the bytes in `rawPacket`: not this library's to withhold.
    app.on('error', (error) => 'rawPacket' in error || show(error))
    // Koa's own, which it leaves out where there is another.
    app.on('error', app.onerror)
    app.use(onKoa.webhookMiddleware(secret, { path, now, ...onKoa.receiverDiagnostics() }))
    app.use(onKoa.deliveryHandler(...handling(onKoa)))
    return app.callback()
  },
}

export const ADAPTERS = Object.keys(applications)

/** The handler fails where the vectors ask for it. */
function handling({ memoryStore, handlerDiagnostics }) {
  const any = (delivery) => {
    if (delivery.data.data.boom === true) throw new Error('the handler fails on purpose')
  }
  return [{ any }, { store: memoryStore(), ...handlerDiagnostics() }]
}

/** Does what no receiver may do. */
function leaking(leak, secret, listener) {
  return (req, res) => {
    if (leak === 'secret') res.setHeader('X-Debug', Buffer.from(secret).toString('base64'))
    if (leak === 'mac') console.error(req.headers['x-webhook-signature'])
    if (leak === 'body') req.on('data', (bytes) => show(Object.assign(new Error('x'), { bytes })))
    listener(req, res)
  }
}
