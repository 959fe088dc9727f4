import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Packages are tested from their sources: no build, and no stale one.
// Without `module`, which Node does not have: the modules that it gives of @opentelemetry/api are for bundlers only.
const conditions = ['@webhook-receiver/source', 'node', 'development|production']

// Examples, the servers of the documentation, receivers and the built command as whole processes, pages in a browser, several processes on one store: `npm run test:processes`.
const processes = [
  'packages/acceptance/test/{examples,examples-lifecycle,examples-log,bullmq,postgres-inbox,opentelemetry,start}.test.ts',
  'packages/faults/test/{chunks,loading,skipped}.test.ts',
  'packages/*/test/processes.test.ts',
  'packages/postgres/test/pgbouncer.test.ts',
  'packages/cli/test/doctor/mistakes.test.ts',
  'packages/cli/test/{built,descriptors}.test.ts',
  'packages/site/test/generated.test.ts',
  'packages/inspector/test/page/*.test.ts',
]

export default defineConfig(({ mode }) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // As in applications of Nest. Only a tsconfig.json that includes a file would say so, and none includes the tests.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    // More than there are cores: most of the time these tests wait for sockets and stores.
    maxWorkers: 4,
    // A guard against what hangs; how long things take is for benchmarks to say.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    include: mode === 'processes' ? processes : ['packages/*/test/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(mode === 'processes' ? [] : processes)],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/index.ts', '**/*.d.ts'],
      reporter: ['text-summary', 'text'],
      // Of each package, not of all of them together.
      thresholds: Object.fromEntries(
        readdirSync(join(import.meta.dirname, 'packages')).map((name) => [
          `packages/${name}/src/**/*.ts`,
          { lines: 90, branches: 90 },
        ]),
      ),
    },
  },
}))
