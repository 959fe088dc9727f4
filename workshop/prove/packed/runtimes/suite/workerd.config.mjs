import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

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
    // The diagnosis and the schemes compute with the cryptography of each runtime too.
    include: ['packages/{core,diagnose,schemes}/test/**/*.test.ts'],
    // What is data, and what listens on a port or starts a program: a Worker cannot, and some tests would wait for it until their time is over.
    exclude: [
      'packages/schemes/test/{schema,service-files,sent-requests,processes}.test.ts',
      'packages/core/test/suites.test.ts',
    ],
    // Two runtimes at a time, on as many cores; how long a test takes says nothing here.
    maxWorkers: 1,
    testTimeout: 120_000,
    setupFiles: ['./console.setup.mjs', './restore-after-test.ts'],
  },
})
