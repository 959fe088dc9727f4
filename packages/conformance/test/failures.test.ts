import { createServer, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { type FailingSetup, listening, runFailures } from '../src/index.ts'

const LINE = '[receiver] failed'

/** A receiver that verifies nothing, and answers what its handler throws by `fail`. */
function receiver(fail: (thrown: unknown, res: ServerResponse) => void) {
  return ({ handler }: FailingSetup) =>
    listening(
      createServer(async (_req, res) => {
        try {
          await handler({})
          res.end()
        } catch (thrown) {
          fail(thrown, res)
        }
      }),
    )
}

function print(thrown: unknown): void {
  try {
    console.error(LINE, thrown)
  } catch {
    console.error(LINE)
  }
}

async function problemsOf(start: ReturnType<typeof receiver>): Promise<string[]> {
  const results = await runFailures(start, { handed: 'nothing' })
  return results.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`))
}

test('finds nothing wrong with a receiver that answers 500 and prints what was thrown', async () => {
  const right = receiver((thrown, res) => {
    print(thrown)
    res.writeHead(500).end()
  })
  expect(await problemsOf(right)).toEqual([])
})

test.each<[string, Parameters<typeof receiver>[0], RegExp]>([
  [
    'answers the status of an error',
    (thrown, res) => {
      print(thrown)
      const { status } = Object(thrown)
      res.writeHead(Number.isInteger(status) ? status : 500).end()
    },
    /^an Error with the status 404: thrown, .*the answer was 404/m,
  ],
  [
    'tells the sender what was thrown',
    (thrown, res) => {
      print(thrown)
      res.writeHead(500).end(typeof thrown === 'string' ? thrown : '')
    },
    /^a string: rejected, .*the answer was 500 .* original-/m,
  ],
  [
    'prints nothing',
    (_thrown, res) => void res.writeHead(500).end(),
    /^undefined \(undefined\): thrown, .*it was printed 0 times/m,
  ],
  [
    'prints twice',
    (thrown, res) => {
      print(thrown)
      print(thrown)
      res.writeHead(500).end()
    },
    /^a Response: thrown, .*it was printed 2 times/m,
  ],
  [
    'prints no more than a type',
    (thrown, res) => {
      console.error(LINE, typeof thrown)
      res.writeHead(500).end()
    },
    /^an Error: thrown, .*what was thrown is not in/m,
  ],
])('finds a receiver that %s', async (_name, fail, problem) => {
  const careless = receiver((thrown, res) => {
    try {
      fail(thrown, res)
    } catch {
      if (!res.headersSent) res.writeHead(500).end()
    }
  })
  expect((await problemsOf(careless)).join('\n')).toMatch(problem)
})
