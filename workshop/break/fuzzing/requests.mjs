// The properties of core, of which `npm test` draws a few requests, with many more.
import { spawnSync } from 'node:child_process'
import { readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'

const USAGE = `npm run break -- fuzz [options]

Compares receivers with an independent model, by requests that fast-check generates, on node:crypto and on WebCrypto.

  --runs N   for each property on node:crypto; WebCrypto gets a tenth of them (20000)
  --seed N   chooses the requests (1)

Exits with 1 if a receiver and the model disagree, or if an outcome was never reached.`

const { runs, seed } = readCommandLine(USAGE, { runs: wholeNumber(20_000), seed: wholeNumber(1) })

for (const [file, share] of Object.entries({ properties: 1, 'verify/web-backend': 0.1 })) {
  const env = { ...process.env, FUZZ_RUNS: `${Math.ceil(runs * share)}`, FUZZ_SEED: `${seed}` }
  const only = ['--testNamePattern', 'as the model has it', '--testTimeout', '20000000']
  const args = ['vitest', 'run', `packages/core/test/${file}.test.ts`, ...only]
  const { status } = spawnSync('npx', args, { env, stdio: 'inherit' })
  process.exitCode ||= status ?? 1
}
