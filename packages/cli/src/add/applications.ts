import type { Code, Import } from './code.ts'
import type { Application, Layout, TestedApplication } from './framework.ts'
import { fileOf, type Parts, receiver } from './receiver.ts'

export function express(parts: Parts, layout: Layout): Application {
  const app = {
    imports: [{ from: 'express', default: 'express' }],
    body: 'const app = express()',
  }
  const mount = `// Before express.json(), which keeps the parsed body only.\n${posted('app', parts)}`
  return mounted(parts, layout, { adapter: 'express', app, mount, listen: 'app.listen(3000)' })
}

export function hono(parts: Parts, layout: Layout): Application {
  const { service, dialect, runtime } = parts
  const bindings = `{ Bindings: { ${service.variable}: string } }`
  const isTyped = runtime === 'workers' && dialect.language === 'ts'
  const app = {
    imports: [{ from: 'hono', names: ['Hono'] }],
    body: `const app = new Hono${isTyped ? `<${bindings}>` : ''}()`,
  }
  return mounted(parts, layout, {
    ...(runtime === 'workers' && {
      secret: `(c${isTyped ? `: Context<${bindings}>` : ''}) => c.env.${service.variable}`,
      types: service.isSubscribed ? [] : [{ from: 'hono', types: ['Context'] }],
      test: { hasBindings: true },
    }),
    adapter: 'hono',
    app,
    mount: posted('app', parts),
    ...HONO_SERVERS[runtime],
  })
}

export function fastify(parts: Parts, layout: Layout): Application {
  return mounted(parts, layout, {
    adapter: 'fastify',
    options: [`url: '${parts.service.path}'`],
    app: {
      imports: [{ from: 'fastify', default: 'Fastify' }],
      body: 'const app = Fastify({ requestTimeout: 15_000 })',
    },
    mount: `app.register(${parts.receive})`,
    listen: 'app.listen({ port: 3000 })',
  })
}

export function koa(parts: Parts, layout: Layout): Application {
  return mounted(parts, layout, {
    adapter: 'koa',
    options: [`path: '${parts.service.path}'`],
    app: { imports: [{ from: 'koa', default: 'Koa' }], body: 'const app = new Koa()' },
    mount: `// Before any body parser, which keeps the parsed body only.\napp.use(${parts.receive})`,
    listen: 'app.listen(3000)',
  })
}

export function node(parts: Parts, layout: Layout): Application {
  const { receive, service } = parts
  const server = `// Without this limit, Node waits five minutes for a slow request.
const server = createServer({ requestTimeout: 15_000 }, ${receive})`
  return mounted(parts, layout, {
    adapter: 'node',
    options: [`path: '${service.path}'`],
    app: { imports: [{ from: 'node:http', names: ['createServer'] }], body: server },
    mount: `if (request.url?.startsWith('${service.path}')) return ${receive}(request, response)`,
    listen: 'server.listen(3000)',
    test: { target: receive },
  })
}

export function elysia(parts: Parts, layout: Layout): Application {
  const { receive, service } = parts
  const how = service.checks.length > 0 ? 'all' : 'post'
  return mounted(parts, layout, {
    adapter: 'core',
    app: { imports: [{ from: 'elysia', names: ['Elysia'] }], body: 'const app = new Elysia()' },
    mount: `// Without parse: 'none', Elysia parses the body, and the status is 500.
app.${how}('${service.path}', ({ request }) => ${receive}(request), {
  parse: 'none',
})`,
    listen: 'app.listen(3000)',
  })
}

const HONO_SERVERS = {
  node: {
    listen: 'serve({ fetch: app.fetch, port: 3000 })',
    listenImports: [{ from: '@hono/node-server', names: ['serve'] }],
  },
  bun: { listen: 'export default { port: 3000, fetch: app.fetch }', listenImports: [] },
  workers: { listen: 'export default app', listenImports: [] },
}

function posted(app: string, { service, receive }: Parts): string {
  return `${app}.${service.checks.length > 0 ? 'all' : 'post'}('${service.path}', ${receive})`
}

/** An application that a framework makes, with a line that puts the receiver on its path. */
interface Mounted {
  readonly adapter: string
  readonly secret?: string
  readonly types?: readonly Import[]
  readonly options?: readonly string[]
  readonly app: Code
  readonly mount: string
  readonly listen: string
  readonly listenImports?: readonly Import[]
  readonly test?: Partial<TestedApplication>
}

function mounted(parts: Parts, { root }: Layout, given: Mounted): Application {
  const { adapter, app, mount, listen, listenImports = [], options, secret, types = [] } = given
  const { imports, before, call } = receiver(parts, adapter, {
    ...(options && { options }),
    ...(secret !== undefined && { secret }),
  })
  const own = { from: `./${fileOf(parts)}`, names: [parts.receive] }
  const isOneCall = adapter === 'node'
  return {
    adapter,
    route: {
      path: `${root}${fileOf(parts)}`,
      code: {
        imports: [...imports, ...types],
        body: `${before}export const ${parts.receive} = ${call}`,
      },
    },
    mount: {
      where: 'the file of your application',
      code: { imports: [own], body: mount },
    },
    server: {
      path: `${root}server`,
      code: {
        imports: [...app.imports, ...listenImports, own],
        body: [app.body, ...(isOneCall ? [] : [mount]), listen].join('\n\n'),
      },
    },
    test: {
      imports: isOneCall ? [] : app.imports,
      exported: parts.receive,
      before: isOneCall ? '' : `${app.body}\n${mount}\n`,
      target: 'app',
      ...given.test,
    },
  }
}
