// Applications with a guard for one path, and every kind of route to that path behind it.
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import Router from '@koa/router'
import { webhookMiddleware as onExpress } from '@webhook-receiver/express'
import { webhookMiddleware as onKoa } from '@webhook-receiver/koa'
import { pathMatcher, webhookListener } from '@webhook-receiver/node'
import express5 from 'express'
import express4 from 'express4'
import Koa3 from 'koa'
import mount from 'koa-mount'
import Koa2 from 'koa2'
import { onNest } from './nest.mjs'
import { isAt, readAs, splits } from './routes.mjs'

const SECRET = 'whsec_for_paths_only'

/**
 * Creates the server of each application.
 *
 * @type {Record<string, (path: string, guarded: boolean, ran: (route: string, target: string) => void) => import('node:net').Server | Promise<import('node:net').Server>>}
 */
export const applications = {
  'Express 4': (...setup) => createServer(onAnyExpress(express4, ...setup)),
  'Express 5': (...setup) => createServer(onAnyExpress(express5, ...setup)),
  'Koa 2': (...setup) => createServer(onAnyKoa(Koa2, ...setup)),
  'Koa 3': (...setup) => createServer(onAnyKoa(Koa3, ...setup)),
  'node:http': (...setup) => createServer(onNode(...setup)),
  'NestJS, Express': (...setup) => onAnyNest('express', ...setup),
  'NestJS, Fastify': (...setup) => onAnyNest('fastify', ...setup),
  'Koa 2, HTTP/2': (...setup) => createHttp2Server(onAnyKoa(Koa2, ...setup)),
  'Koa 3, HTTP/2': (...setup) => createHttp2Server(onAnyKoa(Koa3, ...setup)),
  'node:http2': (...setup) => createHttp2Server(onNode(...setup)),
}

export const isHttp2 = (name) => /http2|HTTP\/2/.test(name)

/** Whether the guard belongs to the routes. Then requests have a body and a signature, so that a parser may come before it. */
export const isOfRoutes = (name) => name.startsWith('NestJS')

/** A guard that compares the path by itself: the fuzzer has to get past it. */
function naiveGuard(path, target) {
  return isAt(path, target.split(/[?#]/)[0])
}

function onAnyExpress(express, path, guarded, ran) {
  const app = express().set('env', 'test')
  const run = (name) => (req, _res, next) => {
    ran(name, req.originalUrl)
    next()
  }
  if (guarded) app.use(onExpress(SECRET, { path, onRejected: false }))
  else app.use((req, res, next) => (naiveGuard(path, req.url) ? res.sendStatus(401) : next()))
  app.post(path, run('app.post'))
  app.all(path, run('app.all'))
  app.use(path, run('app.use'))
  app.use(express.Router({ strict: true, caseSensitive: true }).post(path, run('strict router')))
  for (const [prefix, rest] of splits(path)) {
    app.use(prefix, express.Router().post(rest, run(`router.post below ${prefix}`)))
    app.use(prefix, express().post(rest, run(`application below ${prefix}`)))
    app.use(prefix, express.Router().use(rest, run(`router.use below ${prefix}`)))
    for (const [outer, inner] of splits(prefix)) {
      const nested = express
        .Router()
        .use(inner, express.Router().post(rest, run(`routers below ${outer}, ${inner}`)))
      app.use(outer, nested)
    }
    app.use(prefix, (req, _res, next) => {
      for (const name of readAs(rest, req.url))
        ran(`${name} of req.url below ${prefix}`, req.originalUrl)
      if (isAt(rest, req.path)) ran(`req.path below ${prefix}`, req.originalUrl)
      next()
    })
  }
  app.use((req, _res, next) => {
    for (const name of readAs(path, req.originalUrl))
      ran(`${name} of req.originalUrl`, req.originalUrl)
    if (isAt(path, req.path)) ran('req.path', req.originalUrl)
    next()
  })
  return app
}

function onAnyKoa(Koa, path, guarded, ran) {
  const app = new Koa()
  app.silent = true
  const run = (name) => (ctx, next) => {
    ran(name, ctx.originalUrl)
    return next()
  }
  if (guarded) app.use(onKoa(SECRET, { path, onRejected: false }))
  else app.use((ctx, next) => (naiveGuard(path, ctx.url) ? ctx.throw(401) : next()))
  app.use(new Router().post(path, run('router.post')).routes())
  app.use(new Router().all(path, run('router.all')).routes())
  app.use(new Router({ sensitive: true, strict: true }).post(path, run('strict router')).routes())
  app.use(new Router({ prefix: path }).post('/', run('router with a prefix')).routes())
  const onward = (_ctx, next) => next()
  app.use(new Router().use(path, run('router.use')).all('/{*rest}', onward).routes())
  app.use(mount(path, run('mount')))
  for (const [prefix, rest] of splits(path)) {
    const inner = () => new Router().post(rest, run(`router below ${prefix}`)).routes()
    app.use(mount(prefix, inner()))
    app.use(new Router().use(prefix, inner()).routes())
    app.use(mount(prefix, new Koa().use(mount(rest, run(`application below ${prefix}`)))))
    app.use(
      mount(prefix, (ctx, next) => {
        for (const name of readAs(rest, ctx.url))
          ran(`${name} of ctx.url below ${prefix}`, ctx.originalUrl)
        if (isAt(rest, ctx.path)) ran(`ctx.path below ${prefix}`, ctx.originalUrl)
        return next()
      }),
    )
  }
  app.use((ctx, next) => {
    for (const name of readAs(path, ctx.originalUrl))
      ran(`${name} of ctx.originalUrl`, ctx.originalUrl)
    if (isAt(path, ctx.path)) ran('ctx.path', ctx.originalUrl)
    if (isAt(path, ctx.URL.pathname)) ran('ctx.URL', ctx.originalUrl)
    return next()
  })
  return app.callback()
}

function onAnyNest(platform, path, guarded, ran) {
  const guard = (req, res, next) => {
    if (!naiveGuard(path, req.originalUrl)) return next()
    res.statusCode = 401
    res.end()
  }
  return onNest(platform, SECRET, path, { guard: guarded ? undefined : guard, ran })
}

/** The listener, and a server of several that asks `pathMatcher` which one is meant. */
function onNode(path, guarded, ran) {
  const receive = webhookListener(SECRET, () => ran('webhookListener', ''), {
    path,
    onRejected: false,
  })
  const covers = pathMatcher(path)
  return (req, res) => {
    if (guarded ? covers([req.url]) : naiveGuard(path, req.url)) return receive(req, res)
    for (const name of readAs(path, req.url)) ran(`${name} of req.url`, req.url)
    res.statusCode = 404
    res.end()
  }
}
