import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isChanged } from '@webhook-receiver/checks/changed.mjs'
import { PART } from '@webhook-receiver/checks/lists.mjs'
import { postgresProblem } from '@webhook-receiver/checks/postgres.mjs'
import { redisProblem } from '@webhook-receiver/checks/redis.mjs'
import { defineConfig } from 'vitest/config'
import { skippedTests } from './skipped-tests.ts'

// Packages are tested from their sources: no build, and no stale one.
// Without `module`, which Node does not have: the modules that it gives of @opentelemetry/api are for bundlers only.
const conditions = ['@webhook-receiver/source', 'node', 'development|production']

// Examples, the servers of the documentation, receivers and the built command as whole processes, pages in a browser, several processes on one store: `npm run test:processes`.
const processes = [
  'workshop/prove/test/{bundled,examples,examples-lifecycle,services,bullmq,postgres-inbox,opentelemetry,service-pages,start}.test.ts',
  'workshop/break/test/{chunks,loading,missed,recipes,uploads}.test.ts',
  'packages/*/test/processes.test.ts',
  'packages/postgres/test/pgbouncer.test.ts',
  'packages/cli/test/built.test.ts',
  'workshop/site/test/generated.test.ts',
  'packages/inspector/test/page/*.test.ts',
]

/** What costs as much as many others is tested where one of these changed, and once a week. */
const COSTLY = {
  'packages/dynamodb/test/store.test.ts': [
    'packages/dynamodb/',
    'packages/core/src/store',
    'packages/conformance/src/store/',
    'workshop/suites/src/stores/',
    'pnpm-lock.yaml',
  ],
  'packages/inspector/test/page/!(services).test.ts': ['packages/inspector/'],
}
const unchanged = Object.entries(COSTLY).flatMap(([tests, paths]) =>
  PART && !paths.some((path) => isChanged(path)) ? [tests] : [],
)

/**
 * Tests that replace modules, or that read what is printed once in a process, have a process of their own. The rest share some, and load each
 * module once: that takes a third less time. What they replace of clocks and functions, restore-after-test.ts puts back.
 */
const NEEDS_PROCESS = /vi\.mock\(|spyOn\(console/
const alone = ['packages', 'workshop'].flatMap((parent) =>
  readdirSync(parent).flatMap((name) => {
    const folder = join(parent, name, 'test')
    const files = existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
      : []
    return files
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(folder, file))
      .filter((file) => NEEDS_PROCESS.test(readFileSync(file, 'utf8')))
  }),
)

/** The packages whose tests need a server, with what is wrong with that. The tests are skipped then; with CI=true they fail. */
const untested = Object.entries({
  redis: await redisProblem(),
  postgres: await postgresProblem(),
  inbox: await postgresProblem(),
}).filter(([, problem]) => problem !== undefined)

// At the end, where it is seen.
process.once('exit', () => {
  for (const [name, problem] of untested) {
    console.error(
      `Not tested: what needs ${name}, and the coverage of packages/${name}: ${problem}.`,
    )
  }
  if (untested.length > 0) console.error('To test it: npm run services -- npm test')
})

/** Milliseconds: only what hangs takes longer, in CI also on a machine that is busy with other things. */
const PATIENCE = process.env.CI === 'true' ? 300_000 : 60_000

export default defineConfig(({ mode }) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // As in applications of Nest. Only a tsconfig.json that includes a file would say so, and none includes the tests.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    // More than there are cores: most of the time these tests wait for sockets and stores.
    maxWorkers: 4,
    testTimeout: mode === 'processes' ? 300_000 : PATIENCE,
    hookTimeout: mode === 'processes' ? 300_000 : PATIENCE,
    expect: { poll: { timeout: 0.4 * PATIENCE }, requireAssertions: true },
    setupFiles: ['restore-after-test.ts'],
    reporters: [
      'default',
      ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : []),
      ...(process.env.CI === 'true' ? [skippedTests] : []),
    ],
    projects:
      mode === 'processes'
        ? [{ extends: true, test: { name: 'processes', include: processes, exclude: unchanged } }]
        : [
            {
              extends: true,
              test: { name: 'alone', include: alone, exclude: [...processes, ...unchanged] },
            },
            {
              extends: true,
              test: {
                name: 'together',
                isolate: false,
                include: ['{packages,workshop}/*/test/**/*.test.ts'],
                exclude: [...processes, ...alone, ...unchanged],
              },
            },
          ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/index.ts', '**/*.d.ts'],
      reporter: ['text-summary', 'text'],
      // Of each package, not of all of them together.
      thresholds: Object.fromEntries(
        readdirSync(join(import.meta.dirname, 'packages'))
          .filter((name) => !untested.some(([missing]) => missing === name))
          .map((name) => [`packages/${name}/src/**/*.ts`, { lines: 90, branches: 90 }]),
      ),
    },
  },
}))
