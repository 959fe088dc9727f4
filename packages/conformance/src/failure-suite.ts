import { beforeAll, describe, expect, test } from 'vitest'
import {
  type FailureOptions,
  type FailureResult,
  runFailures,
  type StartFailing,
  thrownValues,
} from './failures.ts'

/**
 * Throws all kinds of values in the handler of an adapter, one test each. Call it at the top level of a test file.
 *
 * @example
 * describeFailures('my receiver', ({ secret, path, handler }) =>
 *   listening(createServer(webhookListener(secret, handler, { path }))),
 * )
 */
export function describeFailures(
  name: string,
  start: StartFailing,
  options: FailureOptions = {},
): void {
  describe(`${name}, with a handler that fails`, () => {
    let results: readonly FailureResult[] = []
    beforeAll(async () => {
      results = await runFailures(start, options)
    }, 60_000)

    const values = [...thrownValues, ...(options.values ?? [])]
    test.each(values.map((value) => value.name))(
      'with %s: 500, and the operator sees it',
      (value) => {
        expect(results.find((result) => result.name === value)?.problems).toEqual([])
      },
    )
  })
}
