import { checksToo, LASTING, lazySecret } from '../file-route.ts'
import type { Application, Framework } from '../framework.ts'
import type { Parts } from '../parts.ts'
import { receiver } from '../receiver.ts'

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
  application: route,
}

function route(parts: Parts): Application {
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
