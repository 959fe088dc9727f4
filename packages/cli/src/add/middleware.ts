import { type Code, type Import, indented, list } from './code.ts'
import type { Packages } from './framework.ts'
import { methodOf, namesOf, type Parts, receiver, schemeTypeOf } from './receiver.ts'

/** A route whose handler is the application's own, behind the middleware that verifies, and the line that mounts it. */
export function middlewareRoute(
  parts: Parts,
  adapter: string,
  given: { readonly secret?: string; readonly router?: string },
): { readonly code: Code; readonly mount: string; readonly packages: Packages } {
  const { receive, service } = parts
  const form = MIDDLEWARES[adapter]
  if (!form) throw new TypeError(`${adapter} has no middleware form.`)
  const { imports, before, call } = receiver(parts, adapter, given)
  const names = namesOf(service)
  const body = /^\{ body: (.*) \}$/.exec(service.reply ?? '')?.[1]
  const handler = `${form.takes} => {
  const { ${names} } = ${form.delivery}
  console.log(${names})
  ${form.ends(service.status, body)}
}`
  const router = given.router ?? form.router
  const { types, code } = router
    ? { types: [], code: onRouter(parts, router, handler) }
    : inScope(parts, handler)
  return {
    code: {
      imports: [...imports, ...form.imports, ...types],
      body: `${before}const verify = ${call}\n\n${code}`,
    },
    mount: form.mount(receive),
    packages: {
      run: [...(form.packages ?? []), ...types.map(({ from }) => from)],
      develop: [],
    },
  }
}

function onRouter({ receive, service }: Parts, router: string, handler: string): string {
  return `export const ${receive} = ${router}

${receive}.${methodOf(service)}('${service.path}', verify, ${handler})`
}

/** A plugin, whose scope keeps the other routes' parsers as they are. */
function inScope({ receive, service, dialect }: Parts, handler: string) {
  const isTyped = dialect.language === 'ts'
  const body = service.scheme
    ? {
        type: `{ Body: SchemeDelivery<${schemeTypeOf(service.scheme)}> }`,
        from: 'core',
        name: 'SchemeDelivery',
      }
    : { type: 'WebhookRoute', from: 'fastify', name: 'WebhookRoute' }
  const call = `scope.${methodOf(service)}${isTyped ? `<${body.type}>` : ''}(`
  const route = list([call, ')'], [`'${service.path}'`, handler])
  return {
    types: isTyped ? [{ from: `@webhook-receiver/${body.from}`, types: [body.name] }] : [],
    code: `export const ${receive}${isTyped ? ': FastifyPluginAsync' : ''} = async (scope) => {
  await scope.register(verify)

${indented(route)}
}`,
  }
}

/** How the middleware form is written on a framework. */
interface Middleware {
  readonly imports: readonly Import[]
  readonly packages?: readonly string[]
  /** What makes the router that the file exports; absent where the file exports a plugin. */
  readonly router?: string
  /** The parameters of the handler, and where it finds the delivery. */
  readonly takes: string
  readonly delivery: string
  /** The last line of the handler: a status, or a body that the service waits for. */
  readonly ends: (status: number, body: string | undefined) => string
  /** The line that puts the route into an application. */
  readonly mount: (receive: string) => string
}

/** The frameworks whose adapter has this form: docs/decisions/0002-two-forms.md. */
const MIDDLEWARES: Readonly<Record<string, Middleware>> = {
  express: {
    imports: [{ from: 'express', names: ['Router'] }],
    router: 'Router()',
    takes: '(req, res)',
    delivery: 'req.delivery',
    ends: (status, body) => (body ? `res.json(${body})` : `res.status(${status}).end()`),
    mount: (receive) => `app.use(${receive})`,
  },
  hono: {
    imports: [{ from: 'hono', names: ['Hono'] }],
    router: 'new Hono()',
    takes: '(c)',
    delivery: 'c.var.delivery',
    ends: (status, body) => `return ${body ? `c.json(${body})` : `c.body(null, ${status})`}`,
    mount: (receive) => `app.route('/', ${receive})`,
  },
  fastify: {
    imports: [{ from: 'fastify', types: ['FastifyPluginAsync'] }],
    takes: 'async (request, reply)',
    delivery: 'request.delivery',
    ends: (status, body) => `return ${body ?? `reply.code(${status}).send()`}`,
    mount: (receive) => `app.register(${receive})`,
  },
  koa: {
    imports: [{ from: '@koa/router', default: 'Router' }],
    packages: ['@koa/router'],
    router: 'new Router()',
    takes: '(ctx)',
    delivery: 'ctx.state.delivery',
    ends: (status, body) => (body ? `ctx.body = ${body}` : `ctx.status = ${status}`),
    mount: (receive) => `app.use(${receive}.routes())`,
  },
}

export const WITH_MIDDLEWARE: readonly string[] = Object.keys(MIDDLEWARES)
