import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import { brokenTests } from './report.mjs'

/** Quick ones first, so that the slow ones have little left to try. */
const unit = (name, part) => [
  `packages/${name}/test/**/*${part}*.test.ts`,
  `packages/${name}/test/**/*${part}*/**/*.test.ts`,
]
const SERVERS = [
  '**/{conformance,misbehaving-clients}.test.ts',
  '**/{ioredis,node-redis,upstash,pg,pgbouncer,pglite,postgres-js}.test.ts',
]

/** How often tests that a mutant may have broken are tried again. */
const AGAIN = 3

/** A test that takes longer than this tries none; also milliseconds. */
const SLOW = 2000

/** Runs the tests of a package over some of the mutants in its files; gives what was written down by the runner. */
export async function runTests(name, files, mutants, { root, tests, vectors, workers, budget }) {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
  const journal = join(folder, 'journal')
  writeFileSync(journal, '')
  const drawn = join(folder, 'drawn')
  writeFileSync(drawn, JSON.stringify(mutants.map(({ id }) => id)))
  const entries = () => readJournal(journal)
  const run = async (include, exclude, only) => {
    const settled = { journal, drawn, only, every: vectors, budget, slow: SLOW }
    process.env.MUTATION = JSON.stringify(settled)
    const vitest = await startVitest('test', [], settings(include, exclude, workers), {
      root,
      plugins: [mutated(files)],
    })
    await vitest?.close()
  }
  const servers = SERVERS.map((path) => path.replace('**', `packages/${name}/test`))
  const units = tests.flatMap((part) => unit(name, part))

  async function runAll() {
    await run(units, SERVERS)
    if (name !== 'core') await run(servers, [])
    // A mutant may have broken its process: the tests behind it have their turn in another.
    for (let again = 0; again < AGAIN; again++) {
      const broken = brokenTests(entries())
      if (broken.length > 0) await run([...units, ...servers], [], broken)
    }
  }

  // What is known by then is reported.
  const interrupted = once(process, 'SIGTERM').then(() => console.error(`${name}: interrupted`))
  await Promise.race([runAll(), interrupted])
  process.exitCode = 0
  const written = entries()
  rmSync(folder, { recursive: true, force: true })
  return written
}

function readJournal(journal) {
  const lines = readFileSync(journal, 'utf8').trim().split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line))
}

function settings(include, exclude, workers) {
  return {
    watch: false,
    include,
    // What starts processes runs the built packages, which have no mutants inside.
    exclude: ['**/node_modules/**', '**/{processes,doctor/mistakes}.test.ts', ...exclude],
    runner: join(import.meta.dirname, 'runner.mjs'),
    pool: 'forks',
    maxWorkers: workers,
    testTimeout: 30_000,
    reporters: [{}],
    silent: true,
    coverage: { enabled: false },
    // A mutant may leave one behind; what counts is whether a test fails.
    dangerouslyIgnoreUnhandledErrors: true,
  }
}

/** Puts the mutants in when a source file is loaded: nothing on disk is changed. */
function mutated(files) {
  return {
    name: 'mutants',
    enforce: 'pre',
    transform: (_, id) => files.get(id.split('?')[0]),
  }
}
