// Minified and compressed with brotli, as they are published; what they depend on is somebody else's size.
const KB = 1000

export default [
  ...['node', 'workerd'].map((runtime) => ({
    name: `core (${runtime})`,
    path: 'packages/core/dist/index.js',
    limit: `${4 * KB} B`,
    modifyEsbuildConfig: (config) => on(runtime, config),
  })),
  // What core loads by itself when it is needed: with the first refusal (the diagnosis apart, which is an option), and
  // for a web-standard Request.
  ...['reporter', 'request'].map((entry) => ({
    name: `core/${entry}`,
    path: `packages/core/dist/${entry}.js`,
    limit: `${4 * KB} B`,
    modifyEsbuildConfig: (config) => on('node', config),
  })),
  ...['node', 'express', 'koa', 'fastify', 'hono'].map((name) => ({
    name,
    path: `packages/${name}/dist/index.js`,
    limit: `${2 * KB} B`,
    modifyEsbuildConfig: (config) => ({ ...on('node', config), packages: 'external' }),
  })),
]

function on(runtime, config) {
  return {
    ...config,
    format: 'esm',
    conditions: [runtime],
    external: ['node:*', '@webhook-receiver/*', './refused.js'],
  }
}
