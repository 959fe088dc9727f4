import { mac } from '@webhook-receiver/core/internal'
import { stripe } from '@webhook-receiver/schemes'
import { beforeEach, expect, test, vi } from 'vitest'
import { type DiagnosisInput, diagnose } from '../src/index.ts'
import { MAX_BODY } from '../src/request/request-parts.ts'
import { MAX_MAC_BYTES, MAX_MACS, MAX_MESSAGE } from '../src/search/spend.ts'
import { ID, produced, SECRET } from './produced.ts'

vi.mock('@webhook-receiver/core/internal', async (original) => {
  const real = await original<typeof import('@webhook-receiver/core/internal')>()
  const { importKey, sign, verify } = real.mac
  const watched = { importKey: vi.fn(importKey), sign: vi.fn(sign), verify: vi.fn(verify) }
  return { ...real, mac: { ...real.mac, ...watched } }
})

beforeEach(() => {
  vi.clearAllMocks()
})

const forged = { 'X-Webhook-Signature': `sha256=${'ab'.repeat(32)}` }

/** A JSON body of exactly so many bytes, with much in it that can be written in another way. */
function large(length: number): string {
  const unit = '{"a":"é <b> / \\"x\\"","c":[1,2.50]},'
  const count = Math.floor((length - 20) / Buffer.byteLength(unit))
  const text = `[${unit.repeat(count)}{}`
  return `${text.padEnd(text.length + length - 1 - Buffer.byteLength(text))}]`
}

const named = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, `${SECRET}${at}`]))

/** Of each MAC: its key, the text in front of the body, the body, and the signature that it is compared with. */
const macCalls = () => [...vi.mocked(mac.sign).mock.calls, ...vi.mocked(mac.verify).mock.calls]

const spent = () => {
  const calls = macCalls()
  const bytes = calls.reduce((sum, [, prefix, body]) => sum + prefix.length + body.length, 0)
  return { macs: calls.length, bytes }
}

test.each<[what: string, least: number, () => DiagnosisInput]>([
  [
    'ten secrets and a body of 1 MiB',
    100,
    () => produced({ body: large(MAX_BODY), headers: forged, input: { secrets: named(10) } }),
  ],
  [
    'ten signatures, ten secrets and a large body',
    20,
    () => ({
      headers: { 'stripe-signature': `t=1760000000${`,v1=${'ab'.repeat(32)}`.repeat(10)}` },
      body: Buffer.from(`{"a":"${'é <b> '.repeat(20_000)}"}`),
      secrets: named(10),
      scheme: stripe,
    }),
  ],
])('%s stay within the bounds', async (_, least, input) => {
  const [first] = await diagnose(input())
  expect(first.code).toBe('unfinished')
  expect(spent().macs).toBeLessThanOrEqual(MAX_MACS)
  expect(spent().macs).toBeGreaterThan(least)
  expect(spent().bytes).toBeLessThanOrEqual(MAX_MAC_BYTES)
})

test.each([
  ['is found by the last of as many secrets', MAX_MACS, 'valid'],
  ['is not found by one more', MAX_MACS + 1, 'unfinished'],
])('the last MAC within the bounds is computed, and no other: %s', async (_, count, code) => {
  const input = { secrets: named(count) }
  const [first] = await diagnose(produced({ key: `${SECRET}${count - 1}`, input }))
  expect(first.code).toBe(code)
})

test('a large body gets as few MACs as the bytes allow', async () => {
  await diagnose(produced({ body: new Uint8Array(MAX_MESSAGE), headers: forged }))
  // Each is over the timestamp, too.
  expect(macCalls().filter(([, , message]) => message.length > 0)).toHaveLength(
    MAX_MAC_BYTES / MAX_MESSAGE - 1,
  )
  expect(spent().bytes).toBeLessThanOrEqual(MAX_MAC_BYTES)
})

test('over a body above the bound of one MAC none is computed', async () => {
  const body = new Uint8Array(MAX_MESSAGE + 1)
  const [first] = await diagnose(produced({ body, headers: forged }))
  expect(first).toMatchObject({
    code: 'unfinished',
    certainty: 'possible',
    message: expect.stringContaining('the body has more than 4194304 bytes'),
  })
  expect(macCalls()).toEqual([])
})

test('a key is prepared once for the scheme and once for its neighbours, and no signature is compared twice', async () => {
  const secrets = { current: SECRET, plain: 'plain secret', quoted: '"plain secret"' }
  const input = { secrets, apiKey: 'plain secret', otherSecrets: { same: SECRET } }
  const body = '{"id":"","created_at":"","data":{"timestamp":"2025-10-09T08:53:20Z"}}\n'
  await diagnose(produced({ headers: forged, body, input }))
  const { calls, results } = vi.mocked(mac.importKey).mock
  const keys = calls.map(([secret]) => Buffer.from(secret).toString('hex'))
  expect(keys.length).toBeLessThanOrEqual(2 * new Set(keys).size)
  const imported = await Promise.all(results.map(({ value }) => value))
  const names = new Map(imported.map((key, at) => [key, keys[at]]))
  const macs = macCalls().map(([key, prefix, bytes, signature]) =>
    [names.get(key), prefix, Buffer.from(bytes).toString('hex'), signature].join(' '),
  )
  expect(macs.length).toBeGreaterThan(500)
  expect(macs).toEqual([...new Set(macs)])
})

test('where a timestamp is not a time, nothing else is tried in its place', async () => {
  await diagnose(produced({ headers: forged, body: 'x', timestamp: 'soon' }))
  const prefixes = macCalls().map(([, prefix]) => prefix)
  const stamps = prefixes.filter((prefix) => /^[\w ]+\.$/.test(prefix))
  // What a template writes for a variable that is not set says nothing of the time.
  const unset = ['undefined.', 'null.', 'None.', 'NaN.']
  expect([...new Set(stamps)].sort()).toEqual([...unset, 'soon.', `${ID}.`].sort())
})

test('a request without a signature costs none', async () => {
  await diagnose(produced({ headers: { 'X-Webhook-Signature': '' } }))
  expect(macCalls()).toEqual([])
})

test('a valid delivery costs one MAC', async () => {
  await diagnose(produced())
  expect(macCalls()).toHaveLength(1)
})

test.each([
  ['up to the bound is tried in other forms', MAX_BODY, 'body_final_newline'],
  ['above the bound is taken as it is', MAX_BODY + 1, 'unfinished'],
])('a body %s', async (_, length, code) => {
  const signedBody = 'x'.repeat(length - 1)
  const [first] = await diagnose(produced({ signedBody, body: `${signedBody}\n` }))
  expect(first.code).toBe(code)
})

test('a body above the bound is tried without its timestamp', async () => {
  const body = large(MAX_BODY + 1)
  const [first] = await diagnose(produced({ signed: [body], body }))
  expect(first.code).toBe('message_body_alone')
})
