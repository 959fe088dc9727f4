// One application for each adapter, as small as one can be. Each answers with what its handler was given.
import { createServer } from 'node:http'
import { crc32 } from 'node:zlib'
import { createAdaptorServer } from '@hono/node-server'
import { webhookMiddleware as onExpress, WebhookError } from '@webhook-receiver/express'
import { webhookPlugin } from '@webhook-receiver/fastify'
import { webhookMiddleware as onHono } from '@webhook-receiver/hono'
import { webhookMiddleware as onKoa } from '@webhook-receiver/koa'
import { webhookListener } from '@webhook-receiver/node'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'

export const ADAPTERS = ['express', 'fastify', 'hono', 'koa', 'node']

export const PATH = '/webhooks'

/** The header of an answer that names the delivery that was handled, and the bytes that it came as. */
export const HANDLED = 'x-handled'

/** @type {Record<string, (secret: string, options: object) => import('node:http').Server | Promise<import('node:http').Server>>} */
export const applications = {
  express(secret, options) {
    // The default error handler prints every error that it answers, but for this environment.
    const app = express().set('env', 'test')
    app.post(PATH, onExpress(secret, options), (req, res) => {
      res.set(HANDLED, handled(req)).sendStatus(200)
    })
    app.use((error, _req, _res, next) => {
      if (!(error instanceof WebhookError)) console.error(error)
      next(error)
    })
    return createServer(app)
  },

  async fastify(secret, options) {
    const app = Fastify({ requestTimeout: 30_000 })
    app.register(async (scope) => {
      await scope.register(webhookPlugin, { secret, ...options })
      scope.post(PATH, (request, reply) => reply.header(HANDLED, handled(request)).send('OK'))
    })
    await app.ready()
    return app.server
  },

  hono(secret, options) {
    const app = new Hono()
    app.post(PATH, onHono(secret, options), (c) => c.text('OK', 200, { [HANDLED]: handled(c.var) }))
    return createAdaptorServer({ fetch: app.fetch })
  },

  koa(secret, options) {
    const app = new Koa()
    // By default Koa prints that a client is gone, as an error.
    app.on('error', (error) => {
      if (!error.expose && !/^(EPIPE|ECONNRESET|HPE_)/.test(error.code)) console.error(error)
    })
    app.use(onKoa(secret, { path: PATH, ...options }))
    app.use((ctx) => {
      if (!ctx.state.delivery) return
      ctx.set(HANDLED, handled(ctx.state))
      ctx.body = 'OK'
    })
    return createServer(app.callback())
  },

  node(secret, options) {
    const handler = (delivery, { res, verification }) => {
      res.setHeader(HANDLED, handled({ delivery, verification }))
      res.end('OK')
    }
    return createServer(webhookListener(secret, handler, { path: PATH, ...options }))
  },
}

/** What the application was handed, in a form that a header takes. */
function handled({ delivery, verification }) {
  return tokenOf(delivery.id, verification.rawBody)
}

export function tokenOf(id, body) {
  return `${id} ${crc32(body)}`
}
