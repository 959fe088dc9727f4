import type { Application, Framework } from './framework.ts'
import type { Parts } from './parts.ts'
import { receiver } from './receiver.ts'

const LASTING = 'where a process stays: not on Vercel or Netlify'

export const next: Framework = {
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
  workerRuns: LASTING,
  application: (parts, { root, hasPagesOnly }) =>
    hasPagesOnly ? nextPages(parts, root) : nextRoute(parts, root),
}

export const sveltekit: Framework = {
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
  workerRuns: LASTING,
  settings: {
    'vite.config.js':
      "import { sveltekit } from '@sveltejs/kit/vite'\n\nexport default { plugins: [sveltekit()] }\n",
    'src/app.html': '%sveltekit.head%%sveltekit.body%\n',
  },
  application: sveltekitRoute,
}

export const nuxt: Framework = {
  title: 'Nuxt',
  foundBy: ['nuxt'],
  packages: { run: ['nuxt'], develop: ['typescript'] },
  isBundled: true,
  start: 'nuxt dev --port 3000',
  readsEnvFile: true,
  sharedFolder: () => '../../utils',
  workerRuns: LASTING,
  application: nuxtRoute,
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
    test: { exported: 'POST', target: 'POST' },
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
      exported: `default: ${parts.receive}`,
      target: parts.receive,
    },
  }
}

function sveltekitRoute(parts: Parts): Application {
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
      exported: 'POST',
      before: `// SvelteKit passes more; the route reads the request only.
const receive = (request${type && ': Request'}) => POST({ request }${type && ' as never'})
`,
      target: 'receive',
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

function nuxtRoute(parts: Parts): Application {
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
      exported: `default: ${parts.receive}`,
      first: {
        why: 'Nuxt is not here: the listener itself is what this tests.',
        code: `const fromNodeMiddleware = (listener${parts.dialect.language === 'ts' ? ': unknown' : ''}) => listener
Object.assign(globalThis, { fromNodeMiddleware })`,
      },
      // For TypeScript it is what Nuxt makes of it.
      target: parts.dialect.language === 'ts' ? `${parts.receive} as never` : parts.receive,
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
