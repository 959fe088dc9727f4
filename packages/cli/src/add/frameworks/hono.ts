import { type Framework, TSX } from '../framework.ts'
import { mounted, posted } from '../mounted.ts'

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
      ...SERVERS[runtime],
    })
  },
}

const SERVERS = {
  node: {
    listen: 'serve({ fetch: app.fetch, port: 3000 })',
    listenImports: [{ from: '@hono/node-server', names: ['serve'] }],
  },
  bun: { listen: 'export default { port: 3000, fetch: app.fetch }', listenImports: [] },
  workers: { listen: 'export default app', listenImports: [] },
}
