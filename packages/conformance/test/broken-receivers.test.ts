import { describe, expect, test } from 'vitest'
import type { StartAdapter } from '../src/adapter/adapter.ts'
import { runCase } from '../src/adapter/run.ts'
import { openTarget } from '../src/adapter/target.ts'
import { type AdapterSetup, loadVectors, runVectors, type Vectors } from '../src/index.ts'
import { type Parts, rightParts, startReference } from './reference.ts'

const bundled = first(loadVectors(''))
const valid = first(bundled.cases)

function withParts(parts: Partial<Parts>): StartAdapter {
  return (setup) => startReference(setup, { ...rightParts, ...parts })
}

function only(...groups: string[]): Vectors {
  return { ...bundled, cases: bundled.cases.filter(({ group }) => groups.includes(group)) }
}

function first<Item>(items: readonly Item[]): Item {
  const [item] = items
  if (item === undefined) throw new Error('there is none')
  return item
}

async function wrong(start: StartAdapter, vectors: Vectors): Promise<string[]> {
  const results = await runVectors(start, vectors)
  return results.filter(({ problems }) => problems.length > 0).map(({ id }) => id)
}

describe('the vectors find a receiver that', () => {
  test('compares re-serialized JSON', async () => {
    const start = withParts({
      signed: (timestamp, body) => {
        const text = body.toString()
        return Buffer.from(`${timestamp}.${json(text) ?? text}`)
      },
    })
    const found = await wrong(start, only('genuine', 'signature'))
    expect(found).toEqual(expect.arrayContaining(['json-indented', 'body-reserialised']))
  })

  test('ignores the timestamp', async () => {
    const found = await wrong(withParts({ fresh: () => true }), only('age', 'timestamp'))
    expect(found).toEqual(
      expect.arrayContaining(['old-301s', 'ahead-301s', 'old-300001ms', 'not-a-time-nan']),
    )
  })

  test('accepts upper-case hex', async () => {
    const start = withParts({
      signature: (value) => rightParts.signature(value?.toLowerCase()),
    })
    const found = await wrong(start, only('signature'))
    expect(found).toEqual(['digest-upper', 'digest-one-upper', 'prefix-upper', 'prefix-mixed'])
  })

  test('trusts Content-Length for the limit', async () => {
    const found = await wrong(withParts({ tooBig: () => false }), only('size'))
    expect(found).toEqual(expect.arrayContaining(['limit-plus-1-chunked', 'ten-mebibytes-chunked']))
    expect(found).not.toContain('limit-plus-1')
  })

  test('decodes before the MAC', async () => {
    const start = withParts({
      signed: (timestamp, body) => Buffer.from(`${timestamp}.${new TextDecoder().decode(body)}`),
    })
    const found = await wrong(start, only('signature'))
    expect(found).toEqual(['body-fffd-to-ff', 'body-fffd-to-overlong', 'body-mark-added'])
  })

  test('runs the handler twice', async () => {
    const start = (setup: AdapterSetup) =>
      startReference({
        ...setup,
        onDelivery: async (delivery) => {
          await setup.onDelivery(delivery)
          await setup.onDelivery(delivery)
        },
      })
    const target = await openTarget(start, bundled)
    const result = await runCase(target, valid)
    await target.adapter.close()
    expect(result.problems).toEqual(['expected 1 handler runs, observed 2'])
  })

  test('acknowledges what its handler failed on', async () => {
    const start = (setup: AdapterSetup) =>
      startReference({
        ...setup,
        onDelivery: async (delivery) => {
          try {
            await setup.onDelivery(delivery)
          } catch {}
        },
      })
    const vectors = { ...bundled, cases: bundled.cases.filter(({ id }) => id === 'handler-throws') }
    expect(await wrong(start, vectors)).toEqual(['handler-throws'])
  })

  test('hands over a __proto__ key', async () => {
    const start = (setup: AdapterSetup) =>
      startReference({
        ...setup,
        onDelivery: () => setup.onDelivery(JSON.parse('{"data":{"data":{"__proto__":{}}}}')),
      })
    const target = await openTarget(start, bundled)
    const result = await runCase(target, valid)
    await target.adapter.close()
    expect(result.problems).toEqual(['a __proto__ key reached the handler'])
  })
})

function json(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}
