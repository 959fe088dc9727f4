import { indented, list } from './code.ts'
import { type Framework, TSX } from './framework.ts'
import { mounted } from './mounted.ts'
import type { Parts } from './parts.ts'
import { methodOf } from './receiver.ts'

export const express: Framework = {
  title: 'Express',
  foundBy: ['express'],
  packages: { run: ['express'], develop: [...TSX, '@types/express'] },
  middleware: {
    imports: [{ from: 'express', names: ['Router'] }],
    router: 'Router()',
    takes: '(req, res)',
    delivery: 'req.delivery',
    ends: (status, body) => (body ? `res.json(${body})` : `res.status(${status}).end()`),
    mount: (receive) => `app.use(${receive})`,
  },
  application(parts, layout) {
    const app = {
      imports: [{ from: 'express', default: 'express' }],
      body: 'const app = express()',
    }
    return mounted(parts, layout, {
      adapter: 'express',
      app,
      why: `// Above app.use(express.${parts.service.parser}()), which keeps the parsed body only.`,
      mount: posted(parts),
      listen: 'app.listen(3000)',
    })
  },
}

export const hono: Framework = {
  title: 'Hono',
  foundBy: ['hono'],
  packages: { run: ['hono', '@hono/node-server'], develop: TSX },
  middleware: {
    imports: [{ from: 'hono', names: ['Hono'] }],
    router: 'new Hono()',
    takes: '(c)',
    delivery: 'c.var.delivery',
    ends: (status, body) => `return ${body ? `c.json(${body})` : `c.body(null, ${status})`}`,
    mount: (receive) => `app.route('/', ${receive})`,
  },
  application(parts, layout) {
    const { service, dialect, runtime } = parts
    const bindings = `{ Bindings: { ${service.variable}: string } }`
    const isTyped = runtime === 'workers' && dialect.language === 'ts'
    const router = `new Hono${isTyped ? `<${bindings}>` : ''}()`
    const app = { imports: [{ from: 'hono', names: ['Hono'] }], body: `const app = ${router}` }
    return mounted(parts, layout, {
      ...(runtime === 'workers' && {
        secret: `(c${isTyped ? `: Context<${bindings}>` : ''}) => c.env.${service.variable}`,
        types: service.isSubscribed ? [] : [{ from: 'hono', types: ['Context'] }],
        test: { hasBindings: true },
      }),
      adapter: 'hono',
      app,
      router,
      mount: posted(parts),
      ...HONO_SERVERS[runtime],
    })
  },
}

export const fastify: Framework = {
  title: 'Fastify',
  foundBy: ['fastify'],
  packages: { run: ['fastify'], develop: TSX },
  middleware: {
    imports: [{ from: 'fastify', types: ['FastifyPluginAsync'] }],
    takes: 'async (request, reply)',
    delivery: 'request.delivery',
    ends: (status, body) => `return ${body ?? `reply.code(${status}).send()`}`,
    mount: (receive) => `app.register(${receive})`,
  },
  application(parts, layout) {
    const mount = `app.register(${parts.receive})`
    return mounted(parts, layout, {
      adapter: 'fastify',
      options: [`url: '${parts.service.path}'`],
      app: {
        imports: [{ from: 'fastify', default: 'Fastify' }],
        body: `// Without these limits, Fastify waits forever for a slow request.
const limits = { requestTimeout: 15_000, http: { headersTimeout: 15_000 } }
const app = Fastify(limits)`,
      },
      mount,
      listen: 'app.listen({ port: 3000 })',
      test: { before: `const app = Fastify()\n${mount}\n` },
    })
  },
}

export const koa: Framework = {
  title: 'Koa',
  foundBy: ['koa'],
  packages: { run: ['koa'], develop: [...TSX, '@types/koa'] },
  middleware: {
    imports: [{ from: '@koa/router', default: 'Router' }],
    packages: ['@koa/router'],
    router: 'new Router()',
    takes: '(ctx)',
    delivery: 'ctx.state.delivery',
    ends: (status, body) => (body ? `ctx.body = ${body}` : `ctx.status = ${status}`),
    mount: (receive) => `app.use(${receive}.routes())`,
  },
  application(parts, layout) {
    return mounted(parts, layout, {
      adapter: 'koa',
      options: [`path: '${parts.service.path}'`],
      app: { imports: [{ from: 'koa', default: 'Koa' }], body: 'const app = new Koa()' },
      why: '// Before any body parser, which keeps the parsed body only.',
      mount: `app.use(${parts.receive})`,
      listen: 'app.listen(3000)',
    })
  },
}

export const node: Framework = {
  title: 'Node.js',
  foundBy: ['@webhook-receiver/node'],
  packages: { run: [], develop: TSX },
  application(parts, layout) {
    const { receive, service } = parts
    const route = `if (request.url?.split('?', 1)[0] === '${service.path}') {
  return ${receive}(request, response)
}`
    const server = `// Without this limit, Node waits five minutes for a slow request.
const options = { requestTimeout: 15_000 }

const server = createServer(options, (request, response) => {
${indented(route)}
  return response.writeHead(404).end()
})`
    return mounted(parts, layout, {
      adapter: 'node',
      app: { imports: [{ from: 'node:http', names: ['createServer'] }], body: server },
      why: '// In the function of createServer, before it responds with 404.',
      mount: route,
      listen: 'server.listen(3000)',
      test: { target: receive },
    })
  },
}

export const elysia: Framework = {
  title: 'Elysia',
  foundBy: ['elysia'],
  packages: { run: ['elysia'], develop: ['@types/bun', 'typescript'] },
  start: 'bun server.ts',
  readsEnvFile: true,
  compiler: { module: 'preserve', types: ['bun'] },
  application(parts, layout) {
    const { receive, service } = parts
    const args = [`'${service.path}'`, `({ request }) => ${receive}(request)`, "{ parse: 'none' }"]
    return mounted(parts, layout, {
      adapter: 'core',
      app: { imports: [{ from: 'elysia', names: ['Elysia'] }], body: 'const app = new Elysia()' },
      mount: `// Without parse: 'none', Elysia parses the body, and the status is 500.
${list([`app.${methodOf(service)}(`, ')'], args, 74)}`,
      listen: 'app.listen(3000)',
    })
  },
}

const HONO_SERVERS = {
  node: {
    listen: 'serve({ fetch: app.fetch, port: 3000 })',
    listenImports: [{ from: '@hono/node-server', names: ['serve'] }],
  },
  bun: { listen: 'export default { port: 3000, fetch: app.fetch }', listenImports: [] },
  workers: { listen: 'export default app', listenImports: [] },
}

function posted({ service, receive }: Parts): string {
  return `app.${methodOf(service)}('${service.path}', ${receive})`
}
