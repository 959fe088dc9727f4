import { describe, expect, test } from 'vitest'
import type { StartAdapter } from '../src/adapter/adapter.ts'
import { type AdapterSetup, loadVectors, runVectors, type Vectors } from '../src/index.ts'
import { type Parts, rightParts, startReference } from './reference.ts'

const [bundled] = loadVectors('') as [Vectors]

/** The cases that a receiver fails, with what is wrong, of those that are `wanted`. */
async function failed(start: StartAdapter, wanted: (one: Vectors['cases'][number]) => boolean) {
  const results = await runVectors(start, { ...bundled, cases: bundled.cases.filter(wanted) })
  return results.filter(({ problems }) => problems.length > 0)
}

const some = (ids: readonly string[]) => expect.arrayContaining([...ids])

describe('the vectors find a receiver that', () => {
  test.each<[what: string, Partial<Parts>, groups: string[], found: unknown]>([
    [
      'compares re-serialized JSON',
      {
        signed: (timestamp, body) => {
          const text = body.toString()
          return Buffer.from(`${timestamp}.${json(text) ?? text}`)
        },
      },
      ['genuine', 'signature'],
      some(['json-indented', 'body-reserialised']),
    ],
    [
      'ignores the timestamp',
      { fresh: () => true },
      ['age', 'timestamp'],
      some(['old-301s', 'ahead-301s', 'old-300001ms', 'not-a-time-nan']),
    ],
    [
      'accepts upper-case hex',
      { signature: (value) => rightParts.signature(value?.toLowerCase()) },
      ['signature'],
      ['digest-upper', 'digest-one-upper', 'prefix-upper', 'prefix-mixed'],
    ],
    [
      'decodes before the MAC',
      { signed: (time, body) => Buffer.from(`${time}.${new TextDecoder().decode(body)}`) },
      ['signature'],
      ['body-fffd-to-ff', 'body-fffd-to-overlong', 'body-mark-added'],
    ],
    [
      'trusts Content-Length for the limit',
      { tooBig: () => false },
      ['size'],
      some(['limit-plus-1-chunked', 'ten-mebibytes-chunked']),
    ],
  ])('%s', async (_, parts, groups, found) => {
    const start = (setup: AdapterSetup) => startReference(setup, { ...rightParts, ...parts })
    const ids = (await failed(start, ({ group }) => groups.includes(group))).map(({ id }) => id)
    expect(ids).toEqual(found)
    // It is announced, so this one is rejected.
    expect(ids).not.toContain('limit-plus-1')
  })

  type Handler = AdapterSetup['onDelivery']
  test.each<[what: string, id: string | undefined, problem: unknown, (handle: Handler) => Handler]>(
    [
      [
        'runs the handler twice',
        bundled.cases[0]?.id,
        'expected 1 handler runs, observed 2',
        (handle) => async (delivery) => {
          await handle(delivery)
          await handle(delivery)
        },
      ],
      [
        'acknowledges what its handler failed on',
        'handler-throws',
        expect.any(String),
        (handle) => async (delivery) => {
          try {
            await handle(delivery)
          } catch {}
        },
      ],
      [
        'hands over a __proto__ key',
        bundled.cases[0]?.id,
        'a __proto__ key reached the handler',
        (handle) => () => handle(JSON.parse('{"data":{"data":{"__proto__":{}}}}')),
      ],
    ],
  )('%s', async (_, wanted, problem, wrong) => {
    const start = (setup: AdapterSetup) =>
      startReference({ ...setup, onDelivery: wrong(setup.onDelivery) })
    expect(await failed(start, ({ id }) => id === wanted)).toMatchObject([{ problems: [problem] }])
  })
})

function json(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}
