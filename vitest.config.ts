import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Packages are tested from their sources: no build, and no stale one.
const conditions = ['@webhook-receiver/source']

// Examples, the servers of the documentation, receivers and the built command as whole processes, several processes on one store: `npm run test:processes`.
const processes = [
  'packages/acceptance/test/{examples,examples-lifecycle,examples-log,bullmq,postgres-inbox,opentelemetry,start}.test.ts',
  'packages/faults/test/{chunks,loading,skipped}.test.ts',
  'packages/*/test/processes.test.ts',
  'packages/postgres/test/pgbouncer.test.ts',
  'packages/cli/test/doctor/mistakes.test.ts',
  'packages/cli/test/{built,descriptors}.test.ts',
  'packages/site/test/generated.test.ts',
]

export default defineConfig(({ mode }) => ({
  resolve: { conditions: [...conditions, 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: [...conditions, 'module', 'node', 'development|production'] } },
  test: {
    // More than there are cores: most of the time these tests wait for sockets and stores.
    maxWorkers: 4,
    // A guard against what hangs; how long things take is for benchmarks to say.
    testTimeout: 60_000,
    hookTimeout: 120_000,
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
