import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Stryker } from '@stryker-mutator/core'

const PLUGINS = [
  import.meta.resolve('@stryker-mutator/vitest-runner'),
  import.meta.resolve('@webhook-receiver/trials/mutation/plugins.mjs'),
].map((url) => fileURLToPath(url))

/**
 * Runs the tests of a folder against each mutant of its `src`. Stryker works in a copy of the repository.
 *
 * @param {string} folder such as `packages/node`, from the current folder
 * @returns {Promise<import('@stryker-mutator/api/core').MutantResult[]>}
 */
export async function runStryker(folder, { parts = [], sample, seed, workers, constants }) {
  const temporary = mkdtempSync(join(tmpdir(), 'mutation-'))
  if (sample) {
    const drawn = { file: join(temporary, 'drawn.json'), size: sample, seed }
    process.env.MUTATION_SAMPLE = JSON.stringify(drawn)
  }
  try {
    return await new Stryker({
      plugins: PLUGINS,
      testRunner: 'vitest',
      vitest: {
        configFile: 'packages/trials/mutation/vitest.config.mjs',
        dir: `${folder}/test`,
        related: false,
      },
      mutate: [
        ...(parts.length > 0 ? parts : ['']).map((part) => `${folder}/src/**/*${part}*`),
        `!${folder}/src/**/index.ts`,
      ],
      ignorers: ['texts'],
      ignoreStatic: !constants,
      checkers: sample ? ['drawn'] : [],
      reporters: ['progress-append-only', ...(sample ? ['draw'] : [])],
      concurrency: workers,
      // Besides 1.5 times what its tests take without it. Then its processes are killed.
      timeoutMS: 10_000,
      // Without TypeScript's own interface, which version 7 does not have.
      tsconfigFile: 'none.json',
      ignorePatterns: ['examples', '.tsc'],
      tempDirName: '.stryker',
      logLevel: 'warn',
    }).runMutationTest()
  } finally {
    delete process.env.MUTATION_SAMPLE
    rmSync(temporary, { recursive: true, force: true })
  }
}
