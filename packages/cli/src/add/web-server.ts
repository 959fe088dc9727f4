import { indented } from './code.ts'
import type { Application, Layout } from './framework.ts'
import { fileOf, type Parts } from './parts.ts'
import { receiver } from './receiver.ts'

/** A server that is one function of a `Request`. */
export function webServer(
  parts: Parts,
  { root }: Layout,
  platform: 'bun' | 'workers',
): Application {
  const { service, receive, dialect } = parts
  const typed = (text: string) => (dialect.language === 'ts' ? text : '')
  const isWorker = platform === 'workers'
  const [request, env] = [`request${typed(': Request')}`, `env${typed(': Env')}`]
  const bindings = isWorker
    ? typed(`interface Env {\n  readonly ${service.variable}?: string\n}\n\n`)
    : ''
  const secret = `// A Worker gets its secrets with each request.
(_${request}, ${env}) => env.${service.variable}`
  const { imports, before, call } = receiver(parts, 'core', isWorker ? { secret } : {})
  const given = isWorker && !service.isSubscribed ? 'request, env' : 'request'
  const mount = `if (new URL(request.url).pathname === '${service.path}')
  return ${receive}(${given})`
  const own = { from: `./${fileOf(parts)}`, names: [receive] }
  return {
    adapter: 'core',
    route: {
      path: `${root}${fileOf(parts)}`,
      code: {
        imports,
        // The secrets of subscriptions are not in the environment.
        body: `${service.isSubscribed ? '' : bindings}${before}export const ${receive} = ${call}`,
      },
    },
    mount: { where: 'the function `fetch` of your server', code: { imports: [own], body: mount } },
    server: {
      path: isWorker ? `${root}index` : `${root}server`,
      code: {
        imports: [own],
        body: `${bindings}async function fetch(${isWorker ? `${request}, ${env}` : request})${typed(': Promise<Response>')} {
${indented(mount)}
  return new Response(null, { status: 404 })
}

export default { ${isWorker ? '' : 'port: 3000, '}fetch }`,
      },
    },
    test: {
      exported: receive,
      target: receive,
      hasBindings: isWorker,
    },
  }
}
