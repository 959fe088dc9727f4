// The properties of core, of which `npm test` draws a few requests, with many more.
import { spawnSync } from 'node:child_process'
import { readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'

const { runs, seed } = readCommandLine(
  'break -- fuzz',
  'Compares receivers with an independent model, by requests that fast-check generates. Exits with 1 if they disagree.',
  {
    runs: wholeNumber(20_000, 'for each property on node:crypto; WebCrypto gets a tenth of them'),
    seed: wholeNumber(1, 'chooses the requests'),
  },
)

for (const [file, share] of Object.entries({ properties: 1, 'verify/web-backend': 0.1 })) {
  const env = { ...process.env, FUZZ_RUNS: `${Math.ceil(runs * share)}`, FUZZ_SEED: `${seed}` }
  const only = ['--testNamePattern', 'as the model has it', '--testTimeout', '20000000']
  const args = ['vitest', 'run', `packages/core/test/${file}.test.ts`, ...only]
  const { status } = spawnSync('npx', args, { env, stdio: 'inherit' })
  process.exitCode ||= status ?? 1
}
