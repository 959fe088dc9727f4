import { readdirSync } from 'node:fs'
import { FRAMEWORKS } from './workshop/prove/lists.mjs'

// Minified and compressed with brotli, as they are published; what they depend on is somebody else's size. A service has room in advance. A limit grows in the
// commit that needs it, which says what everybody who imports the package gets for it.
const KB = 1000

const SERVICES = readdirSync('packages/schemes/services').length

export default [
  // With the words of every rejection, since nothing is loaded for a response, and without the diagnosis: docs/decisions/0006.
  ...Object.entries({ node: 20.43, workerd: 20.04 }).map(([runtime, others]) => ({
    name: `core (${runtime})`,
    path: 'packages/core/dist/index.js',
    import: '{ createReceiver }',
    // Each service has a header by which core names it.
    limit: `${Math.round((others + 0.03 * SERVICES) * KB)} B`,
    modifyEsbuildConfig: (config) => on(runtime, config),
  })),
  // Reading by itself, and letting go of what was read, takes 0.1 kB on Node: docs/decisions/0004.
  ...Object.entries({
    sqlite: 2.87,
    diagnose: 10.15,
    node: 1.67,
    ...Object.fromEntries(FRAMEWORKS.map((name) => [name, 1.35])),
    hono: 1.37,
    nestjs: 4.05,
    'aws-lambda': 1.92,
    dynamodb: 1.6,
    redis: 1.4,
    postgres: 5.44,
    opentelemetry: 2.6,
    inbox: 11.71,
  }).map(([name, limit]) => withoutOthers({ name, path: `packages/${name}/dist/index.js`, limit })),
  // The engine with one value, and what the others add.
  ...Object.entries({
    '{ stripe }': 6.73,
    '{ openai }': 6.68,
    '*': 6.5 + 0.29 * SERVICES,
  }).map(([imported, limit]) =>
    withoutOthers({
      name: `schemes ${imported}`,
      path: 'packages/schemes/dist/index.js',
      import: imported,
      limit,
    }),
  ),
  withoutOthers({
    name: 'schemes/aws-sns',
    path: 'packages/schemes/dist/aws-sns.js',
    limit: 4,
  }),
  // What every service needs, and what the others and all kinds of keys add. `jose` is a peer.
  ...Object.entries({ '{ livekit }': 6.24, '*': 9.05 }).map(([imported, limit]) =>
    withoutOthers({
      name: `jwt ${imported}`,
      path: 'packages/jwt/dist/index.js',
      import: imported,
      limit,
    }),
  ),
  // All that the page of the inspector loads.
  {
    name: 'inspector (page)',
    path: 'packages/inspector/dist/page/assets/*.{js,css}',
    limit: `${18 * KB} B`,
    disablePlugins: ['@size-limit/esbuild'],
  },
]

/** On Node, without what it imports of other packages. */
function withoutOthers({ limit, ...entry }) {
  return {
    ...entry,
    limit: `${limit * KB} B`,
    modifyEsbuildConfig: (config) => ({ ...on('node', config), packages: 'external' }),
  }
}

function on(runtime, config) {
  return {
    ...config,
    format: 'esm',
    conditions: [runtime],
    external: ['node:*', '@webhook-receiver/*', '@opentelemetry/*'],
  }
}
