import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadVectors, type VectorCase } from '../vectors.ts'
import type { StartAdapter } from './adapter.ts'
import { type CaseResult, type RunOptions, runCase, runnableCases } from './run.ts'
import { Tally } from './tally.ts'
import { openTarget, type Target } from './target.ts'

/**
 * Runs every vector against an adapter, one test a case, on real sockets. Call it at the top level of a test file.
 *
 * `start` is called once for each file of vectors, and once more for each case that needs a store, so a store is
 * never shared.
 *
 * @example
 * describeAdapter('my receiver', ({ secret, now, path, onDelivery }) =>
 *   listening(createServer(webhookHandler(secret, onDelivery, { now, path }))),
 * )
 */
export function describeAdapter(name: string, start: StartAdapter, options: RunOptions = {}): void {
  describe(name, () => {
    const tally = new Tally()
    beforeAll(() => tally.watch())
    afterAll(() => {
      tally.unwatch()
      // Some reporters leave the cursor in the middle of a line.
      process.stdout.write(`\n${tally.line(name)}\n`)
    })
    for (const vectors of loadVectors()) {
      // One at a time: the handler's runs are counted between the start and the end of a case.
      describe.sequential(vectors.title, () => {
        let target: Target
        beforeAll(async () => {
          target = await openTarget(start, vectors)
        })
        afterAll(() => target?.adapter.close())

        for (const vector of runnableCases(vectors, options)) {
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
          const own = await openTarget(start, vectors)
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
