import { defineConfig } from 'vitest/config'

const conditions = ['@webhook-receiver/source', 'module', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // The diagnosis and the schemes compute with the cryptography of each runtime too.
    include: ['packages/{core,diagnose,schemes}/test/**/*.test.ts'],
    // What is data is the same on each runtime, and what starts a program starts one of Node.
    exclude: ['packages/schemes/test/{schema,service-files,processes}.test.ts'],
    // Two runtimes at a time, on as many cores; how long a test takes says nothing here.
    maxWorkers: 1,
    testTimeout: 120_000,
    setupFiles: ['./restore-after-test.ts'],
    // Left to the runtime, the re-exports of zod are lost on Bun.
    server: { deps: { inline: ['zod', 'valibot', 'arktype'] } },
  },
})
