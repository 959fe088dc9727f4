import { type Code, type Import, indented } from './code.ts'
import type { Application, Framework, Layout, TestedApplication } from './framework.ts'
import { nestjs } from './nestjs.ts'
import { fileOf, type Parts, receiver } from './receiver.ts'

/** What runs and checks TypeScript on Node. */
const TSX = ['tsx', 'typescript', '@types/node']

export type FrameworkName =
  | 'express'
  | 'next'
  | 'hono'
  | 'fastify'
  | 'nestjs'
  | 'koa'
  | 'node'
  | 'sveltekit'
  | 'nuxt'
  | 'elysia'
  | 'bun'
  | 'workers'
  | 'aws-lambda'

/** In the order of docs/start.md. */
export const FRAMEWORKS: Readonly<Record<FrameworkName, Framework>> = {
  express: {
    title: 'Express',
    foundBy: ['express'],
    packages: { run: ['express'], develop: [...TSX, '@types/express'] },
    application: (parts, layout) => {
      const app = {
        imports: [{ from: 'express', default: 'express' }],
        body: 'const app = express()',
      }
      const mount = `// Before express.json(), which keeps the parsed body only.\n${posted('app', parts)}`
      return mounted(parts, layout, { adapter: 'express', app, mount, listen: 'app.listen(3000)' })
    },
  },
  next: {
    title: 'Next.js',
    foundBy: ['next'],
    packages: {
      run: ['next', 'react', 'react-dom'],
      develop: ['typescript', '@types/node', '@types/react'],
    },
    isBundled: true,
    start: 'next dev',
    readsEnvFile: true,
    sharedFolder: ({ hasPagesOnly }) => (hasPagesOnly ? '../../../webhooks' : '..'),
    workerRuns: 'where a process stays: not on Vercel or Netlify',
    application: (parts, { root, hasPagesOnly }) =>
      hasPagesOnly ? nextPages(parts, root) : nextRoute(parts, root),
  },
  hono: {
    title: 'Hono',
    foundBy: ['hono'],
    packages: { run: ['hono', '@hono/node-server'], develop: TSX },
    application: (parts, layout) => {
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
    },
  },
  fastify: {
    title: 'Fastify',
    foundBy: ['fastify'],
    packages: { run: ['fastify'], develop: TSX },
    application: (parts, layout) =>
      mounted(parts, layout, {
        adapter: 'fastify',
        options: [`url: '${parts.service.path}'`],
        app: {
          imports: [{ from: 'fastify', default: 'Fastify' }],
          body: 'const app = Fastify({ requestTimeout: 15_000 })',
        },
        mount: `app.register(${parts.receive})`,
        listen: 'app.listen({ port: 3000 })',
      }),
  },
  nestjs,
  koa: {
    title: 'Koa',
    foundBy: ['koa'],
    packages: { run: ['koa'], develop: [...TSX, '@types/koa'] },
    application: (parts, layout) =>
      mounted(parts, layout, {
        adapter: 'koa',
        options: [`path: '${parts.service.path}'`],
        app: { imports: [{ from: 'koa', default: 'Koa' }], body: 'const app = new Koa()' },
        mount: `// Before any body parser, which keeps the parsed body only.\napp.use(${parts.receive})`,
        listen: 'app.listen(3000)',
      }),
  },
  node: {
    title: 'Node.js',
    foundBy: [],
    packages: { run: [], develop: TSX },
    application: (parts, layout) => {
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
    },
  },
  sveltekit: {
    title: 'SvelteKit',
    foundBy: ['@sveltejs/kit'],
    packages: {
      run: [],
      develop: ['@sveltejs/kit', '@sveltejs/vite-plugin-svelte', 'svelte', 'vite', 'typescript'],
    },
    isBundled: true,
    // Vite does not put what is in .env into the environment.
    start: 'node --env-file=.env node_modules/vite/bin/vite.js dev --port 3000',
    sharedFolder: () => '..',
    workerRuns: 'where a process stays: not on Vercel or Netlify',
    settings: {
      'vite.config.js':
        "import { sveltekit } from '@sveltejs/kit/vite'\n\nexport default { plugins: [sveltekit()] }\n",
      'src/app.html': '%sveltekit.head%%sveltekit.body%\n',
    },
    application: (parts) => {
      const { dialect } = parts
      const type = dialect.language === 'ts' ? ': RequestHandler' : ''
      const { imports, before, call } = receiver(parts, 'core', {
        secret: lazySecret(parts, 'vite build'),
      })
      return {
        adapter: 'core',
        route: {
          path: `src/routes${parts.service.path}/+server`,
          code: {
            imports: [...imports, { from: './$types', types: ['RequestHandler'] }],
            body: `${before}export const POST${type} = ${call}${checksToo(parts, type)}`,
          },
        },
        test: {
          imports: [],
          exported: 'POST',
          before: '',
          // What SvelteKit passes has more than the request, of which this reads nothing.
          target:
            type === ''
              ? '(request) => POST({ request })'
              : '(request) => POST({ request } as never)',
        },
      }
    },
  },
  nuxt: {
    title: 'Nuxt',
    foundBy: ['nuxt'],
    packages: { run: ['nuxt'], develop: ['typescript'] },
    isBundled: true,
    start: 'nuxt dev --port 3000',
    readsEnvFile: true,
    sharedFolder: () => '../../utils',
    workerRuns: 'where a process stays: not on Vercel or Netlify',
    application: (parts) => {
      const { imports, before, call } = receiver(parts, 'node', {
        secret: `() => process.env.${parts.service.variable}`,
      })
      return {
        adapter: 'node',
        route: {
          // Not `.post`: with that name, Nuxt responds to other methods with a page.
          path: `server/routes${parts.service.path}`,
          code: {
            imports,
            body: `${before}const ${parts.receive} = ${call}

// Nuxt imports this function automatically.
export default fromNodeMiddleware(${parts.receive})`,
          },
        },
        testFolder: 'test/webhooks',
        test: {
          imports: [],
          exported: `default: ${parts.receive}`,
          first: {
            why: 'Nuxt is not here: the listener itself is what this tests.',
            code: `Object.assign(globalThis, { fromNodeMiddleware: (listener${parts.dialect.language === 'ts' ? ': unknown' : ''}) => listener })`,
          },
          before: '',
          target: parts.receive,
        },
      }
    },
  },
  elysia: {
    title: 'Elysia',
    foundBy: ['elysia'],
    packages: { run: ['elysia'], develop: ['@types/bun', 'typescript'] },
    start: 'bun server.ts',
    readsEnvFile: true,
    compiler: { module: 'preserve', types: ['bun'] },
    application: (parts, layout) => {
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
    },
  },
  bun: {
    title: 'Bun and Deno',
    aliases: ['deno'],
    foundBy: [],
    packages: { run: [], develop: ['@types/bun', 'typescript'] },
    start: 'bun server.ts',
    readsEnvFile: true,
    compiler: { module: 'preserve', types: ['bun'] },
    application: (parts, layout) => webServer(parts, layout, 'bun'),
  },
  workers: {
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
  },
  'aws-lambda': {
    title: 'AWS Lambda',
    aliases: ['lambda'],
    foundBy: ['@types/aws-lambda', 'serverless', 'sst', 'aws-cdk-lib', '@middy/core'],
    packages: { run: [], develop: TSX },
    workerRuns: 'in a container, as a function is frozen after each response',
    application: (parts, { root }) => {
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
    },
  },
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

const HONO_SERVERS = {
  node: {
    listen: 'serve({ fetch: app.fetch, port: 3000 })',
    listenImports: [{ from: '@hono/node-server', names: ['serve'] }],
  },
  bun: { listen: 'export default { port: 3000, fetch: app.fetch }', listenImports: [] },
  workers: { listen: 'export default app', listenImports: [] },
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
  const mount = `const { pathname } = new URL(request.url)
if (pathname === '${service.path}') return ${receive}(${given})`
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

function nextRoute(parts: Parts, root: string): Application {
  const { imports, before, call } = receiver(parts, 'core', {
    secret: lazySecret(parts, 'next build'),
  })
  return {
    adapter: 'core',
    route: {
      path: `${root}app${parts.service.path}/route`,
      code: { imports, body: `${before}export const POST = ${call}${checksToo(parts)}` },
    },
    test: { imports: [], exported: 'POST', before: '', target: 'POST' },
  }
}

function nextPages(parts: Parts, root: string): Application {
  const { imports, before, call } = receiver(parts, 'node', {
    secret: lazySecret(parts, 'next build'),
  })
  return {
    adapter: 'node',
    route: {
      path: `${root}pages${parts.service.path}`,
      code: {
        imports,
        body: `// Next.js must not read the body before it is verified.
export const config = { api: { bodyParser: false } }

${before}const ${parts.receive} = ${call}

export default ${parts.receive}`,
      },
    },
    testFolder: `${root}webhooks`,
    test: {
      imports: [],
      exported: `default: ${parts.receive}`,
      before: '',
      target: parts.receive,
    },
  }
}

function lazySecret({ service }: Parts, builder: string): string {
  return `// A function, because \`${builder}\` loads this file without it.
() => process.env.${service.variable}`
}

/** For the methods by which the service checks the endpoint. */
function checksToo({ service }: Parts, type = ''): string {
  const lines = service.checks.map((method) => `\nexport const ${method}${type} = POST`)
  return lines.length > 0 ? `\n${lines.join('')}` : ''
}

function posted(app: string, { service, receive }: Parts): string {
  return `${app}.${service.checks.length > 0 ? 'all' : 'post'}('${service.path}', ${receive})`
}
