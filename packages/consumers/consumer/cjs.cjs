const start = require('./start.cjs')

const MODULES = {
  node: () => [require('@webhook-receiver/node'), {}],
  express: () => [require('@webhook-receiver/express'), { default: require('express') }],
  koa: () => [
    require('@webhook-receiver/koa'),
    { default: require('koa'), bodyParser: require('koa-bodyparser') },
  ],
  fastify: () => [require('@webhook-receiver/fastify'), { default: require('fastify') }],
  hono: () => [
    require('@webhook-receiver/hono'),
    { ...require('hono'), ...require('@hono/node-server') },
  ],
}

const name = process.argv[2]
const [adapter, framework] = MODULES[name]()
start(name, adapter, framework)
