// How vitest runs the tests of one package under Stryker, which gives the folder of the tests.
import { defineConfig } from 'vitest/config'

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
    include: ['**/*.test.ts'],
    // Tests that start processes run the built packages, which have no mutants.
    exclude: [
      '**/node_modules/**',
      '**/{processes,pgbouncer,built,descriptors}.test.ts',
      // Of schemes: Stryker's copy of the package has another core than the one that this mocks.
      'web-backend.test.ts',
      '**/doctor/mistakes.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
