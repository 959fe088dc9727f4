// How vitest runs the tests of one package under Stryker, which gives the folder of the tests.
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'

// The first failure ends the tests of a mutant. What failed last time comes first, then the vectors, then what is quick.
class LikelyFirst extends BaseSequencer {
  async sort(files) {
    const { cache, config } = this.ctx
    const rank = ({ moduleId }) => {
      const last = cache.getFileTestResults(`:${relative(config.root, moduleId)}`)
      if (last?.failed) return -2
      return moduleId.endsWith('/vectors.test.ts') ? -1 : (last?.duration ?? 0)
    }
    return files.toSorted((a, b) => rank(a) - rank(b))
  }
}

// As in the configuration of the repository, and decorators too.
const conditions = ['@webhook-receiver/source', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  plugins: [
    {
      name: 'processes',
      // Stryker asks for threads. Some tests change the time zone or the folder of their process.
      configureVitest: ({ project }) => {
        project.config.pool = 'forks'
      },
    },
  ],
  test: {
    setupFiles: ['restore-after-test.ts'],
    include: ['**/*.test.ts'],
    // Tests that start processes run the built packages, which have no mutants.
    exclude: [
      '**/node_modules/**',
      '**/{processes,pgbouncer,built,descriptors}.test.ts',
      // Of schemes: Stryker's copy of the package has another core than the one that this mocks.
      'web-backend.test.ts',
      // Of diagnose: code that counts what it runs fills its slices of time with that.
      'steps.test.ts',
    ],
    sequence: { sequencer: LikelyFirst },
    // A mutant that makes a test wait for ever is seen after this.
    testTimeout: 10_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 4_000 } },
  },
})
