import { execFile } from 'node:child_process'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

test('without `strict`, as in a new project of Next.js, a delivery has its id and its event', async () => {
  const flags =
    '--noEmit --strict false --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --allowImportingTsExtensions --customConditions @webhook-receiver/source --types node'
  const file = relative(ROOT, fileURLToPath(new URL('./not-strict.ts', import.meta.url)))
  const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), file]
  const output = await new Promise<string>((done) =>
    execFile(process.execPath, args, { cwd: ROOT }, (_, stdout) => done(stdout)),
  )
  // Our sources themselves are written for `strict`.
  const problems = output.split('\n').filter((line) => line.startsWith(file))
  expect(problems).toEqual([])
}, 60_000)
