import { LASTING } from '../file-route.ts'
import type { Application, Framework } from '../framework.ts'
import type { Parts } from '../parts.ts'
import { receiver } from '../receiver.ts'

export const nuxt: Framework = {
  title: 'Nuxt',
  foundBy: ['nuxt'],
  packages: { run: ['nuxt'], develop: ['typescript'] },
  isBundled: true,
  start: 'nuxt dev --port 3000',
  readsEnvFile: true,
  sharedFolder: () => '../../utils',
  workerRuns: LASTING,
  application: route,
}

function route(parts: Parts): Application {
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
