// Minified and compressed with brotli, as they are published; what they depend on is somebody else's size.
const KB = 1000

export default [
  // With the words of every refusal, since nothing is loaded for an answer: docs/decisions/0013. The diagnosis is a package of its own: docs/decisions/0022.
  ...Object.entries({ node: 11, workerd: 11 }).map(([runtime, limit]) => ({
    name: `core (${runtime})`,
    path: 'packages/core/dist/index.js',
    limit: `${limit * KB} B`,
    modifyEsbuildConfig: (config) => on(runtime, config),
  })),
  {
    name: 'sqlite',
    path: 'packages/sqlite/dist/index.js',
    limit: `${2 * KB} B`,
    modifyEsbuildConfig: (config) => ({ ...on('node', config), packages: 'external' }),
  },
  // Reading by itself, and letting go of what was read, takes 0.1 kB on Node: docs/decisions/0011. So do the answers that
  // the Express adapter gives in the place of Express: docs/decisions/0014.
  ...Object.entries({
    diagnose: 11,
    node: 3,
    express: 2.5,
    koa: 2,
    fastify: 2,
    hono: 2.5,
    nestjs: 3.2,
    'aws-lambda': 3,
    dynamodb: 2,
    opentelemetry: 2,
  }).map(([name, limit]) => ({
    name,
    path: `packages/${name}/dist/index.js`,
    limit: `${limit * KB} B`,
    modifyEsbuildConfig: (config) => ({ ...on('node', config), packages: 'external' }),
  })),
  // All that the page of the inspector loads, the editor included.
  {
    name: 'inspector (page)',
    path: 'packages/inspector/dist/page/assets/*.{js,css}',
    limit: `${150 * KB} B`,
    disablePlugins: ['@size-limit/esbuild'],
  },
]

function on(runtime, config) {
  return {
    ...config,
    format: 'esm',
    conditions: [runtime],
    external: ['node:*', '@webhook-receiver/*', '@opentelemetry/*'],
  }
}
