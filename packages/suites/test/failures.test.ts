import { createServer, type ServerResponse } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import type { HandlerSetup } from '@webhook-receiver/conformance/internal'
import { expect, test } from 'vitest'
import { runFailures } from '../src/handler/failures.ts'
import { thrownValues } from '../src/handler/thrown-values.ts'

interface Failed {
  readonly res: ServerResponse
  /** Calls `onError`, or prints what was thrown. */
  readonly report: () => void
}

/** A receiver that verifies nothing, and passes what its handler throws to `fail`. */
async function problemsOf(fail: (thrown: unknown, failed: Failed) => void): Promise<string> {
  const start = ({ handlers, options }: HandlerSetup) =>
    listening(
      createServer(async (req, res) => {
        const delivery = { id: 'm_1', event: 'message.received' }
        const context = { request: req }
        try {
          await Reflect.apply(handlers.any ?? expect.fail(), undefined, [delivery, context])
          res.end()
        } catch (thrown) {
          const report = () => {
            const failed = [thrown, { delivery, request: req }]
            if (options.onError) Reflect.apply(options.onError, undefined, failed)
            else print(Object(thrown).stack ?? Object(thrown).message ?? thrown)
          }
          try {
            fail(thrown, { res, report })
          } catch {
            if (!res.headersSent) res.writeHead(500).end()
          }
        }
      }),
    )
  const results = await runFailures(start, thrownValues)
  return results
    .flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`))
    .join('\n')
}

function print(shown: unknown): void {
  console.error('POST /webhooks, message.received, m_1 failed', shown)
}

const BODY = '{"code":"receiver_error","message":"receiver error"}'

test('finds nothing wrong with a receiver that responds with 500 and reports what was thrown', async () => {
  const problems = await problemsOf((_thrown, { res, report }) => {
    report()
    res.writeHead(500).end(BODY)
  })
  // What cannot be read has to be replaced, and this receiver does not.
  const others = problems
    .split('\n')
    .filter((problem) => !/getters|cannot be read|Proxy/.test(problem))
  expect(others).toEqual([])
})

test.each<[string, Parameters<typeof problemsOf>[0], RegExp]>([
  [
    'responds with the status of an error',
    (thrown, { res, report }) => {
      report()
      const { status } = Object(thrown)
      res.writeHead(Number.isInteger(status) ? status : 500).end(BODY)
    },
    /^an Error with the status 404: with onError: the response was 404/m,
  ],
  [
    'tells the sender what was thrown',
    (thrown, { res, report }) => {
      report()
      res.writeHead(500).end(typeof thrown === 'string' ? `${BODY} ${thrown}` : BODY)
    },
    /^a string: without onError: the response was 500 .* original-/m,
  ],
  [
    'reports nothing',
    (_thrown, { res }) => void res.writeHead(500).end(BODY),
    /^undefined \(undefined\): with onError: onError was called 0 times\n.*printed 0 times/m,
  ],
  [
    'reports twice',
    (_thrown, { res, report }) => {
      report()
      report()
      res.writeHead(500).end(BODY)
    },
    /^a Response: with onError: onError was called 2 times\n.*printed 2 times/m,
  ],
  [
    'prints the properties of an error',
    (thrown, { res, report }) => {
      if (thrown instanceof Error) print(thrown)
      else report()
      res.writeHead(500).end(BODY)
    },
    /^an error of axios: without onError: a property of it was printed\n.*^an error of pg: without/ms,
  ],
  [
    'does not say which delivery it was',
    (thrown, { res }) => {
      console.error('failed', thrown)
      res.writeHead(500).end(BODY)
    },
    /^a string: without onError: the path, the event and the id are not in: failed original-/m,
  ],
  [
    'prints no more than a type',
    (thrown, { res }) => {
      console.error('failed', typeof thrown)
      res.writeHead(500).end(BODY)
    },
    /^an Error: without onError: what was thrown is not in/m,
  ],
])('finds a receiver that %s', async (_name, fail, problem) => {
  expect(await problemsOf(fail)).toMatch(problem)
})
