import { indented } from './code.ts'
import type { Application, Layout } from './framework.ts'
import { fileOf, type Parts, receiver } from './receiver.ts'

export function bun(parts: Parts, layout: Layout): Application {
  return webServer(parts, layout, 'bun')
}

/** `deno serve` takes what Bun does. */
export function deno(parts: Parts, layout: Layout): Application {
  return webServer(parts, layout, 'bun')
}

export function workers(parts: Parts, layout: Layout): Application {
  return webServer(parts, layout, 'workers')
}

export function awsLambda(parts: Parts, { root }: Layout): Application {
  const { imports, before, call } = receiver(parts, 'aws-lambda')
  const path = `${root}${fileOf(parts)}`
  return {
    adapter: 'aws-lambda',
    route: { path, code: { imports, body: `${before}export const handler = ${call}` } },
    mount: {
      where: 'the template of the function',
      code: { imports: [], body: `Handler: ${path}.handler` },
    },
    server: {
      path: 'server',
      code: {
        imports: [
          { from: 'node:http', names: ['createServer'] },
          { from: '@webhook-receiver/aws-lambda/testing', names: ['eventListener'] },
          { from: `./${fileOf(parts)}`, names: ['handler'] },
        ],
        body: `// On your machine, each request becomes an event of the function.
createServer(eventListener(handler)).listen(3000)`,
      },
    },
    test: { imports: [], exported: 'handler', before: '', target: 'handler' },
  }
}

/** A server that is one function of a `Request`. */
function webServer(parts: Parts, { root }: Layout, platform: 'bun' | 'workers'): Application {
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
      imports: [],
      exported: receive,
      before: '',
      target: receive,
      hasBindings: isWorker,
    },
  }
}
