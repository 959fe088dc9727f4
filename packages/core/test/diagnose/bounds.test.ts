import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test, vi } from 'vitest'
import { mac } from '#mac'
import { diagnose, MAX_BODY, MAX_JSON, MAX_MAC_BYTES, MAX_MACS } from '../../src/diagnose/index.ts'
import { produced, SECRET } from './produced.ts'

vi.mock('#mac', async (original) => {
  const real = await original<typeof import('#mac')>()
  const { importKey, sign, equal, sha256 } = real.mac
  return { mac: { importKey, sign: vi.fn(sign), equal, sha256: vi.fn(sha256) } }
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

const spent = () => {
  const { calls } = vi.mocked(mac.sign).mock
  return { macs: calls.length, bytes: calls.reduce((sum, [, , body]) => sum + body.length, 0) }
}

test('ten secrets and a body of 1 MiB stay within the bounds', { timeout: 60_000 }, async () => {
  const body = large(MAX_BODY)
  expect(Buffer.byteLength(body)).toBe(MAX_BODY)
  const [first] = await diagnose(produced({ body, headers: forged, input: { secrets: named(10) } }))
  expect(first.code).toBe('unknown')
  expect(spent().macs).toBeLessThanOrEqual(MAX_MACS)
  expect(spent().macs).toBeGreaterThan(100)
  expect(spent().bytes).toBeLessThanOrEqual(MAX_MAC_BYTES)
})

test('JSON above the bound is written again by JSON.stringify alone', async () => {
  const body = large(MAX_JSON + 1000)
  const indented = (space: number) => JSON.stringify(JSON.parse(body), null, space)
  const [first] = await diagnose(produced({ signedBody: indented(2), body }))
  expect(first.code).toBe('body_reserialized')
  const [other] = await diagnose(produced({ signedBody: indented(4), body }))
  expect(other.code).toBe('unknown')
})

test('any number of secrets stays within the bounds', async () => {
  const [first] = await diagnose(produced({ headers: forged, input: { secrets: named(500) } }))
  expect(first.code).toBe('unknown')
  expect(vi.mocked(mac.sign).mock.calls.length + vi.mocked(mac.sha256).mock.calls.length).toBe(
    MAX_MACS,
  )
})

test('ten secrets and an ordinary body are tried in every form', async () => {
  await diagnose(produced({ headers: forged, input: { secrets: named(10) } }))
  expect(spent().macs).toBeGreaterThan(1000)
  expect(spent().macs).toBeLessThan(MAX_MACS)
})

test('a valid delivery costs one MAC', async () => {
  await diagnose(produced())
  expect(mac.sign).toHaveBeenCalledTimes(1)
})

test('a body above the bound is taken as it is', async () => {
  const body = `${large(MAX_BODY)}\n`
  const [first] = await diagnose(produced({ signedBody: body.trim(), body }))
  expect(first.code).toBe('unknown')
  const [other] = await diagnose(produced({ signed: [body], body }))
  expect(other.code).toBe('message_body_alone')
})

test('a body that inflates to more than the bound is not inflated', async () => {
  const body = gzipSync(Buffer.alloc(MAX_BODY + 1, 0x20))
  const [first] = await diagnose(produced({ headers: forged, body }))
  expect(first.code).toBe('unknown')
  for (const [, , message] of vi.mocked(mac.sign).mock.calls) {
    expect(message.length).toBeLessThan(MAX_BODY)
  }
})

test.each([
  ['damaged gzip', Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3)],
  ['damaged zlib', Uint8Array.of(0x78, 0x9c, 1, 2, 3)],
  ['nested JSON', '['.repeat(50_000) + ']'.repeat(50_000)],
  ['nothing', ''],
  ['bytes', Uint8Array.from({ length: 256 }, (_, at) => at)],
  ['a lone surrogate', '{"a":"\\ud800"}'],
  ['a percent sign', '%'],
])('answers for a body that is %s', async (_, body) => {
  const [first] = await diagnose(produced({ body, headers: forged }))
  expect(first.code).toBe('unknown')
})

test('answers for a secret that is no URL', async () => {
  const [first] = await diagnose(produced({ headers: forged, input: { secrets: 'whsec_%' } }))
  expect(first.code).toBe('unknown')
})
