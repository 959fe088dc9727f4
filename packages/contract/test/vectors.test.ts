import { loadVectors, type Vectors } from '@webhook-receiver/conformance'
import { describe, expect, test } from 'vitest'
import { MAX_DEPTH } from '../src/choices.ts'
import { validator } from './validators.ts'

const isDelivery = validator('delivery')

/** What becomes of a body: no schema sees the first two kinds. */
type Verdict = 'not UTF-8' | 'not JSON' | 'rejected' | 'accepted'

describe.each(loadVectors())('$title', ({ cases }) => {
  const accepted = verdicts(cases.filter(({ expect: [outcome] }) => outcome === 'accepted'))
  // Where a server may also close the connection, the fault is in the request and not in the body.
  const rejected = verdicts(cases.filter(({ expect }) => expect.join() === '400'))
  const schemaRejected = rejected.filter(({ verdict }) => verdict === 'rejected')
  const unseen = rejected.filter(({ verdict }) => verdict.startsWith('not '))
  const wrong = rejected.filter(({ verdict }) => verdict === 'accepted')

  test(`the schema accepts the bodies of all ${accepted.length} deliveries that a receiver accepts`, () => {
    expect(accepted.length).toBeGreaterThan(0)
    expect(accepted.filter(({ verdict }) => verdict !== 'accepted')).toEqual([])
  })

  test(`the schema rejects ${schemaRejected.length} of ${rejected.length - unseen.length} bodies that are JSON and not a delivery (${unseen.length} are not JSON)`, () => {
    expect(schemaRejected.length).toBeGreaterThan(0)
    const unexplained = wrong.filter(({ body }) => !isTooDeep(body) && !hasTwoUnknownEvents(body))
    expect(unexplained.map(({ id }) => id)).toEqual([])
  })
})

function verdicts(cases: Vectors['cases']) {
  return cases
    .filter(({ raw_base64, steps }) => raw_base64 === undefined && steps === undefined)
    .map(({ id, body }) => ({ id, ...judge(bytesOf(body)) }))
}

function judge(bytes: Uint8Array): { readonly verdict: Verdict; readonly body?: unknown } {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { verdict: 'not UTF-8' }
  }
  try {
    const body: unknown = JSON.parse(text)
    return { verdict: isDelivery(body) ? 'accepted' : 'rejected', body }
  } catch {
    return { verdict: 'not JSON' }
  }
}

function bytesOf(body: Vectors['cases'][number]['body']): Uint8Array {
  if ('base64' in body) return Buffer.from(body.base64, 'base64')
  const { prefix, unit, times, suffix = '' } = body.generate
  const [begin, middle, end] = [prefix, unit, suffix].map((part) => Buffer.from(part, 'base64'))
  return Buffer.concat([begin, ...Array(times).fill(middle), end].filter(Buffer.isBuffer))
}

/** JSON Schema has no limit for nesting. */
function isTooDeep(body: unknown, levels: number = MAX_DEPTH): boolean {
  if (typeof body !== 'object' || body === null) return false
  return levels === 0 || Object.values(body).some((member) => isTooDeep(member, levels - 1))
}

/** JSON Schema cannot compare two members. */
function hasTwoUnknownEvents(body: unknown): boolean {
  const { event, data } = Object(body)
  return event !== Object(data).event && validator('unknown-event')(body)
}
