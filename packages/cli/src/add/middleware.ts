import { type Code, indented, list } from './code.ts'
import type { Packages } from './framework.ts'
import type { Middleware, Parts } from './parts.ts'
import { methodOf, namesOf, receiver, schemeTypeOf, workOf } from './receiver.ts'

/** A route whose handler is the application's own, behind the middleware that verifies, and the line that mounts it. */
export function middlewareRoute(
  parts: Parts,
  form: Middleware,
  given: { readonly adapter: string; readonly secret?: string; readonly router?: string },
): { readonly code: Code; readonly mount: string; readonly packages: Packages } {
  const { receive, service } = parts
  const { imports, before, call } = receiver(parts, given.adapter, given)
  const names = namesOf(service)
  const body = /^\{ body: (.*) \}$/.exec(service.reply ?? '')?.[1]
  const handler = `${form.takes} => {
  const { ${names} } = ${form.delivery}
${indented(workOf(parts))}
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
