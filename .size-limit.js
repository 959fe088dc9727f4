// Minified and compressed with brotli, as they are published; what they depend on is somebody else's size.
const KB = 1000

export default [
  // The MAC by one-shot hashes takes 0.2 kB on Node: docs/decisions/0012.
  ...Object.entries({ node: 4.2, workerd: 4 }).map(([runtime, limit]) => ({
    name: `core (${runtime})`,
    path: 'packages/core/dist/index.js',
    limit: `${limit * KB} B`,
    modifyEsbuildConfig: (config) => on(runtime, config),
  })),
  // What core loads by itself when it is needed, besides the MAC that is there already: with the first refusal (the
  // diagnosis apart, which is an option), and for a web-standard Request.
  ...['reporter', 'request'].map((entry) => ({
    name: `core/${entry}`,
    path: `packages/core/dist/${entry}.js`,
    limit: `${4 * KB} B`,
    modifyEsbuildConfig: (config) => on('node', config, ['#mac']),
  })),
  // Reading by itself, and letting go of what was read, takes 0.1 kB on Node: docs/decisions/0011.
  ...Object.entries({ node: 2.1, express: 2, koa: 2, fastify: 2, hono: 2 }).map(
    ([name, limit]) => ({
      name,
      path: `packages/${name}/dist/index.js`,
      limit: `${limit * KB} B`,
      modifyEsbuildConfig: (config) => ({ ...on('node', config), packages: 'external' }),
    }),
  ),
]

function on(runtime, config, loaded = []) {
  return {
    ...config,
    format: 'esm',
    conditions: [runtime],
    external: ['node:*', '@webhook-receiver/*', './refused.js', ...loaded],
  }
}
