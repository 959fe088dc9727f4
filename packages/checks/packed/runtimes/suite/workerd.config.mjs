import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import suite from './suite.json' with { type: 'json' }

const conditions = [
  '@webhook-receiver/source',
  'workerd',
  'worker',
  'module',
  'browser',
  'development|production',
]

export default defineConfig({
  plugins: [
    // The runner itself and the tests need Node's modules; what is under test does not.
    cloudflareTest({
      miniflare: { compatibilityDate: '2026-08-01', compatibilityFlags: ['nodejs_compat'] },
    }),
    {
      name: 'conditions of workerd',
      enforce: 'post',
      // vitest adds `node`, and core would not be what a bundler for Workers makes of it.
      configResolved({ environments }) {
        for (const { resolve } of Object.values(environments)) resolve.conditions = conditions
      },
    },
  ],
  test: {
    include: [suite.tests],
    // A Worker cannot listen on a port, and some would wait for that until their time is over. The vectors are sent to one in any case.
    exclude: [suite.data, 'packages/{node,express,fastify,hono,koa}/**'],
    // Two runtimes at a time, on as many cores; how long a test takes says nothing here.
    maxWorkers: 1,
    testTimeout: 120_000,
    setupFiles: ['./console.setup.mjs'],
  },
})
