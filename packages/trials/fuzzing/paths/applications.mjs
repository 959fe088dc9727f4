// Applications with the receiver mounted in every way that a framework has, and with a handler behind each mount.
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { getRequestListener } from '@hono/node-server'
import Router from '@koa/router'
import { webhookMiddleware as onExpress } from '@webhook-receiver/express'
import { webhookMiddleware as onFastify } from '@webhook-receiver/fastify'
import { webhookMiddleware as onHono } from '@webhook-receiver/hono'
import { webhookHandler as koaHandler, webhookMiddleware as onKoa } from '@webhook-receiver/koa'
import { webhookHandler as nodeHandler } from '@webhook-receiver/node'
import express5 from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa3 from 'koa'
import mount from 'koa-mount'
import Koa2 from 'koa2'
import { onNest } from './nest.mjs'
import { splits } from './routes.mjs'

const SECRET = 'whsec_for_paths_only'
const OPTIONS = { onRejected: false }

/**
 * Creates the server of each application. If it is not guarded, there is no receiver: some requests have to reach a handler.
 *
 * @type {Record<string, (path: string, guarded: boolean, ran: (route: string, target: string) => void) => import('node:net').Server | Promise<import('node:net').Server>>}
 */
export const applications = {
  'Express 4': (...setup) => createServer(onAnyExpress(express4, ...setup)),
  'Express 5': (...setup) => createServer(onAnyExpress(express5, ...setup)),
  'Koa 2': (...setup) => createServer(onAnyKoa(Koa2, ...setup)),
  'Koa 3': (...setup) => createServer(onAnyKoa(Koa3, ...setup)),
  'Fastify 5': onAnyFastify,
  Hono: (...setup) => createServer(onAnyHono(...setup)),
  'node:http': (...setup) => createServer(onNode(...setup)),
  'NestJS, Express': (...setup) => onNest('express', SECRET, ...setup),
  'NestJS, Fastify': (...setup) => onNest('fastify', SECRET, ...setup),
  'Koa 3, HTTP/2': (...setup) => createHttp2Server(onAnyKoa(Koa3, ...setup)),
  'node:http2': (...setup) => createHttp2Server(onNode(...setup)),
}

export const isHttp2 = (name) => /http2|HTTP\/2/.test(name)

function onAnyExpress(express, path, guarded, ran) {
  const app = express().set('env', 'test')
  const guard = guarded ? onExpress(SECRET, OPTIONS) : (_req, _res, next) => next()
  const run = (name) => (req, _res, next) => {
    ran(name, req.originalUrl)
    next()
  }
  app.post(path, guard, run('app.post'))
  app.all(path, guard, run('app.all'))
  app.use(path, guard, run('app.use'))
  app.use(path, express.Router().use(guard).all('/', run('router on the path')))
  app.use(
    express.Router({ strict: true, caseSensitive: true }).post(path, guard, run('strict router')),
  )
  for (const [prefix, rest] of splits(path)) {
    app.use(prefix, express.Router().post(rest, guard, run(`router.post below ${prefix}`)))
    app.use(prefix, express().post(rest, guard, run(`application below ${prefix}`)))
    app.use(prefix, express.Router().use(rest, guard, run(`router.use below ${prefix}`)))
  }
  // What is mounted on a path in front of its routes: the documented form for several routes.
  app.use(path, guard)
  app.post(path, run('app.post behind app.use'))
  app.use(path, express.Router().post('/', run('router behind app.use')))
  return app
}

function onAnyKoa(Koa, path, guarded, ran) {
  const app = new Koa()
  app.silent = true
  // Koa has no path for a target that is not a URL: its routers throw, and it responds with 500.
  app.use((ctx, next) => {
    try {
      return ctx.path && next()
    } catch (error) {
      if (error.code !== 'ERR_INVALID_URL') throw error
    }
  })
  const guard = guarded ? onKoa(SECRET, OPTIONS) : (_ctx, next) => next()
  const run = (name) => (ctx, next) => {
    ran(name, ctx.originalUrl)
    return next()
  }
  app.use(new Router().post(path, guard, run('router.post')).routes())
  app.use(new Router().all(path, guard, run('router.all')).routes())
  app.use(new Router({ prefix: path }).use(guard).post('/', run('router with a prefix')).routes())
  app.use(mount(path, guard)).use(mount(path, run('mount')))
  for (const [prefix, rest] of splits(path)) {
    app.use(mount(prefix, new Router().post(rest, guard, run(`router below ${prefix}`)).routes()))
  }
  const handler = koaHandler(SECRET, () => ran('webhookHandler', ''), { path, ...OPTIONS })
  app.use(handler)
  return app.callback()
}

async function onAnyFastify(path, guarded, ran) {
  const app = Fastify()
  const run = (name) => async (request) => ran(name, request.originalUrl)
  app.register(async (scope) => {
    if (guarded) await scope.register(onFastify(SECRET, OPTIONS))
    scope.post(path, run('post'))
    scope.all(`${path}/*`, run('below'))
    scope.register(async (inner) => inner.post(`${path}-inner`, run('inner scope')))
  })
  await app.ready()
  return app.server
}

function onAnyHono(path, guarded, ran) {
  const app = new Hono()
  const guard = guarded ? onHono(SECRET, OPTIONS) : (_c, next) => next()
  const run = (name) => (c, next) => {
    ran(name, c.req.url)
    return next()
  }
  app.post(path, guard, run('app.post'))
  app.use(path, guard).post(path, run('app.post behind app.use'))
  app.use(`${path}/*`, guard).all(`${path}/:rest`, run('below app.use'))
  app.route(path, new Hono().use(guard).post('/', run('route')))
  return getRequestListener(app.fetch)
}

/** The listener responds with 404 to every other path, so nothing else runs behind it. */
function onNode(path, guarded, ran) {
  const listener = nodeHandler(SECRET, () => ran('webhookHandler', ''), { path, ...OPTIONS })
  return (req, res) => {
    if (guarded) return listener(req, res)
    if (req.url === path) ran('a comparison', req.url)
    res.statusCode = 404
    res.end()
  }
}
