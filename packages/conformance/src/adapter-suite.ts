import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StartAdapter } from './adapter.ts'
import { type CaseResult, type RunOptions, runCase, runnableCases } from './run.ts'
import { Tally } from './tally.ts'
import { type Client, openTarget, type Target } from './target.ts'
import { loadVectors, type VectorCase, type Vectors } from './vectors.ts'

export interface SuiteOptions {
  /**
   * Run the cases that hold only with a store behind the receiver: as well, or only those.
   * @default false
   */
  readonly store?: boolean | 'only'
}

/**
 * Runs every vector against an adapter, one test a case: on raw sockets, and again with supertest
 * where an ordinary client can send the case. Call it at the top level of a test file.
 *
 * `start` is called once for each client and each file of vectors, and once more for each case that needs a
 * store, so a store is never shared.
 *
 * @example
 * describeAdapter('my receiver', ({ secret, now, path, onDelivery }) =>
 *   listening(createServer(webhookListener(secret, onDelivery, { now, path }))),
 * )
 */
export function describeAdapter(
  name: string,
  start: StartAdapter,
  options: SuiteOptions = {},
): void {
  describe(name, () => {
    const tally = new Tally()
    beforeAll(() => tally.watch())
    afterAll(() => {
      tally.unwatch()
      // Some reporters leave the cursor in the middle of a line.
      process.stdout.write(`\n${tally.line(name)}\n`)
    })
    for (const vectors of loadVectors()) {
      describe(vectors.title, () => {
        describeClient('socket', 'over raw sockets', vectors)
        describeClient('supertest', 'over supertest', vectors)
      })
    }

    function describeClient(client: Client, title: string, vectors: Vectors): void {
      const run: RunOptions = { ...options, client }
      // One at a time: the handler's runs are counted between the start and the end of a case.
      describe.sequential(title, () => {
        let target: Target
        beforeAll(async () => {
          target = await openTarget(start, vectors, client)
        })
        afterAll(() => target?.adapter.close())

        for (const vector of runnableCases(vectors, run)) {
          test(`${vector.id}: ${vector.description}`, { timeout: 30_000 }, async () => {
            const uncaught = tally.uncaught.length
            const result = await runOn(target, vector)
            tally.add(result)
            expect(result.problems, vector.why).toEqual([])
            expect(tally.uncaught.slice(uncaught), 'uncaught errors').toEqual([])
          })
        }

        /** A store remembers: a case that needs one has an adapter of its own, so that it may run again. */
        async function runOn(shared: Target, vector: VectorCase): Promise<CaseResult> {
          if (!vector.needs_store) return await runCase(shared, vector)
          const own = await openTarget(start, vectors, client)
          return await runCase(own, vector).finally(() => own.adapter.close())
        }

        test('leaves no error uncaught and no handler run unaccounted for', () => {
          expect(tally.uncaught).toEqual([])
          expect(target.application.take()).toEqual({ runs: 0, faults: [] })
        })
      })
    }
  })
}
