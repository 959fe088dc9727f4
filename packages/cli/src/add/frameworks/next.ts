import { checksToo, LASTING, lazySecret } from '../file-route.ts'
import type { Application, Framework } from '../framework.ts'
import type { Parts } from '../parts.ts'
import { receiver } from '../receiver.ts'

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
