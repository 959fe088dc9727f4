import start from './start.cjs'

const MODULES = {
  node: async () => [await import('@webhook-receiver/node'), {}],
  express: async () => [await import('@webhook-receiver/express'), await import('express')],
  koa: async () => [
    await import('@webhook-receiver/koa'),
    {
      default: (await import('koa')).default,
      bodyParser: (await import('koa-bodyparser')).default,
    },
  ],
  fastify: async () => [await import('@webhook-receiver/fastify'), await import('fastify')],
  hono: async () => [
    await import('@webhook-receiver/hono'),
    { ...(await import('hono')), ...(await import('@hono/node-server')) },
  ],
}

const name = process.argv[2]
const [adapter, framework] = await MODULES[name]()
await start(name, adapter, framework)
