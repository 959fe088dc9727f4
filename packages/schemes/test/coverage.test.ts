import { describe, expect, test } from 'vitest'
import { coverageOf } from '../src/engine/coverage.ts'
import type { Part, SchemeValue } from '../src/value.ts'
import { ACME } from './acme.ts'
import known from './left-open.json' with { type: 'json' }
import { ALL } from './vectors.ts'

test('what each signature leaves open is as in the documentation of its service', async () => {
  const rows = ALL.map(
    ({ name, unsigned = [], ambiguous, tolerance = Number.POSITIVE_INFINITY }) => {
      const open = {
        unsigned: unsigned.join(' '),
        ambiguous,
        tolerance: Number.isFinite(tolerance) ? tolerance : null,
      }
      expect(open, name).toEqual(Reflect.get(known, name) ?? open)
      return `  "${name}": ${JSON.stringify(open).replaceAll(/[{:,]/g, '$& ').replace('}', ' }')}`
    },
  )
  // For a new service, run this with --update, and compare what it writes.
  await expect(`{\n${rows.sort().join(',\n')}\n}\n`).toMatchFileSnapshot('left-open.json')
})

describe('whether parts can be cut differently', () => {
  const header: Part = { header: 'x-id' }
  const dot: Part = { text: '.' }
  test.each<[boolean, SchemeValue['signed'], SchemeValue['body']?]>([
    [false, ['body']],
    [false, ['body', dot, header]],
    [false, [header, 'timestamp', 'body']],
    [true, [header, 'timestamp', header, 'body']],
    [true, ['body', header, 'timestamp']],
    [true, ['url', dot, 'body']],
    [false, ['body', 'url']],
    [true, ['body', 'url', header]],
    [true, [header, 'timestamp', dot, 'body']],
    [true, ['form']],
    [true, [header, dot, 'body'], 'form'],
    [true, [header, dot, 'body'], 'json or form'],
  ])('%s: %j, where the body is %s', (ambiguous, signed, body = 'json') => {
    expect(coverageOf({ ...ACME, signed, body }).ambiguous).toBe(ambiguous)
  })
})

test('a form can begin like the end of a URL', () => {
  const signed = ['url', 'body'] as const
  for (const body of ['form', 'json or form'] as const) {
    expect(coverageOf({ ...ACME, signed, body })).toMatchObject({
      ambiguous: true,
      unsigned: ['body', 'path', 'query'],
    })
  }
})

describe('what is unsigned', () => {
  const header = { header: 'x-id' }
  const pointer = { pointer: '/id' }
  const signature = { header: 'x-signature' }
  const timestamp = { at: { header: 'x-time' }, unit: 's' } as const
  test.each<[string, Partial<SchemeValue>]>([
    ['id', { id: [header] }],
    ['id', { id: [pointer, header] }],
    ['', { id: [signature] }],
    ['id', { id: [signature], signature: { ...ACME.signature, separator: ',' } }],
    ['id', { id: [signature], keys: [{ algorithm: 'ed25519', secret: 'hex' }] }],
    ['', { id: [header], signed: [header, { text: '.' }, 'body'] }],
    ['id body', { id: [header], signed: [header, 'body'] }],
    ['timestamp', { timestamp }],
    ['', { timestamp, signed: ['timestamp', 'body'] }],
    ['', { timestamp: { at: pointer, unit: 'ms' } }],
  ])('"%s" of %j', (unsigned, value) => {
    expect(coverageOf({ ...ACME, ...value }).unsigned.join(' ')).toBe(unsigned)
  })
})
