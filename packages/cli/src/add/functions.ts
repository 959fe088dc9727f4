import { indented } from './code.ts'
import { type Application, type Framework, type Layout, TSX } from './framework.ts'
import { fileOf, type Parts } from './parts.ts'
import { receiver } from './receiver.ts'

export const bun: Framework = {
  title: 'Bun',
  foundBy: ['@types/bun'],
  packages: { run: [], develop: ['@types/bun', 'typescript'] },
  start: 'bun server.ts',
  readsEnvFile: true,
  compiler: { module: 'preserve', types: ['bun'] },
  application: (parts, layout) => webServer(parts, layout, 'bun'),
}

export const deno: Framework = {
  title: 'Deno',
  foundBy: [],
  packages: { run: [], develop: [] },
  isDeno: true,
  // The packages of a database read files, and ask for the name of the host.
  start:
    'deno serve --port 3000 --env-file --allow-env --allow-net --allow-read --allow-sys server.ts',
  readsEnvFile: true,
  // `deno serve` takes what Bun does.
  application: bun.application,
}

export const workers: Framework = {
  title: 'Workers',
  aliases: ['cloudflare-workers', 'wrangler'],
  foundBy: ['wrangler', '@cloudflare/workers-types', '@cloudflare/vite-plugin'],
  packages: { run: [], develop: ['wrangler', 'typescript'] },
  isBundled: true,
  start: 'wrangler dev --port 3000',
  compiler: { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'webworker'] },
  settings: {
    'wrangler.jsonc':
      '{\n  "name": "webhooks",\n  "main": "index.ts",\n  "compatibility_date": "2026-01-01",\n  "compatibility_flags": ["nodejs_compat"]\n}\n',
  },
  application: (parts, layout) => webServer(parts, layout, 'workers'),
}

export const awsLambda: Framework = {
  title: 'AWS Lambda',
  aliases: ['lambda'],
  foundBy: [
    ...['@types/aws-lambda', 'serverless', 'sst', 'aws-cdk-lib', '@middy/core'],
    '@webhook-receiver/aws-lambda',
  ],
  packages: { run: [], develop: TSX },
  workerRuns: 'in a container, as a function is frozen after each response',
  application: lambdaFunction,
}

function lambdaFunction(parts: Parts, { root }: Layout): Application {
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
    test: { exported: 'handler', target: 'handler' },
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
      exported: receive,
      target: receive,
      hasBindings: isWorker,
    },
  }
}
