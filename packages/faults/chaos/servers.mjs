import { createServer } from 'node:http'

const PATH = '/webhooks'

/**
 * A server that hands deliveries to the terminal handler of each adapter. A framework is loaded only where
 * it is asked for, so that the other receivers start without it.
 */
const SERVERS = { node, express, fastify, hono, koa }

export const ADAPTERS = Object.keys(SERVERS)

export function createReceiverServer(adapter, secret, handlers, handling) {
  return SERVERS[adapter](secret, handlers, { ...handling, onRejected: false })
}

const RECEIVING = { onRejected: false }

async function node(secret, handlers, handling) {
  const { deliveryHandler, webhookListener } = await import('@webhook-receiver/node')
  return createServer(
    webhookListener(secret, deliveryHandler(handlers, handling), { path: PATH, ...RECEIVING }),
  )
}

async function express(secret, handlers, handling) {
  const { default: createApplication } = await import('express')
  const { deliveryHandler, webhookMiddleware } = await import('@webhook-receiver/express')
  const app = createApplication().set('env', 'test')
  app.post(PATH, webhookMiddleware(secret, RECEIVING), deliveryHandler(handlers, handling))
  return createServer(app)
}

async function fastify(secret, handlers, handling) {
  const { default: createApplication } = await import('fastify')
  const { deliveryHandler, webhookPlugin } = await import('@webhook-receiver/fastify')
  const app = createApplication()
  app.register(async (scope) => {
    await scope.register(webhookPlugin, { secret, ...RECEIVING })
    scope.post(PATH, deliveryHandler(handlers, handling))
  })
  await app.ready()
  return createServer(app.routing)
}

async function hono(secret, handlers, handling) {
  const { Hono } = await import('hono')
  const { getRequestListener } = await import('@hono/node-server')
  const { deliveryHandler, webhookMiddleware } = await import('@webhook-receiver/hono')
  const app = new Hono()
  app.post(PATH, webhookMiddleware(secret, RECEIVING), deliveryHandler(handlers, handling))
  return createServer(getRequestListener(app.fetch))
}

async function koa(secret, handlers, handling) {
  const { default: Koa } = await import('koa')
  const { default: Router } = await import('@koa/router')
  const { deliveryHandler, webhookMiddleware } = await import('@webhook-receiver/koa')
  const router = new Router()
  router.post(PATH, webhookMiddleware(secret, RECEIVING), deliveryHandler(handlers, handling))
  const app = new Koa().use(router.routes())
  app.silent = true
  return createServer(app.callback())
}
