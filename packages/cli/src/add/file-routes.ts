import type { Application, Layout } from './framework.ts'
import { type Parts, receiver } from './receiver.ts'

export function next(parts: Parts, { root, hasPagesOnly }: Layout): Application {
  return hasPagesOnly ? nextPages(parts, root) : nextRoute(parts, root)
}

export function sveltekit(parts: Parts): Application {
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
    ...(parts.service.looksLikeForm && { mount: withoutCsrfCheck(parts) }),
    test: {
      imports: [],
      exported: 'POST',
      before: '',
      // What SvelteKit passes has more than the request, of which this reads nothing.
      target:
        type === '' ? '(request) => POST({ request })' : '(request) => POST({ request } as never)',
    },
  }
}

/** `vite dev` has no such check, so that it rejects deliveries in production only. */
function withoutCsrfCheck({ service }: Parts): NonNullable<Application['mount']> {
  return {
    where: 'the options of SvelteKit (kit in svelte.config.js, or sveltekit() in vite.config.js)',
    code: {
      imports: [],
      body: `// In production, SvelteKit responds with 403 to a body that another site
// could have sent from a form, such as that of ${service.title}. This accepts
// such forms on all your routes: check the Origin of your own in a hook.
csrf: { trustedOrigins: ['*'] },`,
    },
  }
}

export function nuxt(parts: Parts): Application {
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
      // For TypeScript it is what Nuxt makes of it.
      target: parts.dialect.language === 'ts' ? `${parts.receive} as never` : parts.receive,
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
