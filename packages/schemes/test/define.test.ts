import { expect, test } from 'vitest'
import { defineScheme, type SchemeValue } from '../src/index.ts'
import { ACME } from './acme.ts'
import { macOf } from './signed.ts'
import { ALL, verdict } from './vectors.ts'
import wrong from './wrong-values.json' with { type: 'json' }

/** The rest of a valid value is ACME. */
test.each(wrong)('a value with $change is a TypeError', ({ change, says }) => {
  const define = () => defineScheme({ ...ACME, ...change } as SchemeValue)
  expect(define).toThrow(says)
  expect(define).toThrow(TypeError)
})

test('a scheme of its value once more is the same', () => {
  const again = ALL.map(({ value }) => defineScheme(JSON.parse(JSON.stringify(value))))
  const facts = ({ headers, unsigned, tolerance, idHeader, signsUrl }: (typeof ALL)[number]) => ({
    ...{ headers, unsigned, tolerance, idHeader, signsUrl },
  })
  expect(again.map(facts)).toEqual(ALL.map(facts))
})

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('a scheme may sign a header behind the body, and neither can be another or end elsewhere', async () => {
  const scheme = defineScheme({
    ...ACME,
    signature: { header: 'acme-signature', encoding: 'base64url' },
    keys: [{ algorithm: 'hmac-sha512', secret: 'text' }],
    signed: ['body', { text: '|' }, { header: 'x-id' }],
  })
  const sent = (id: string, body = '{"a":"$&"}', signed = 'id-1') => {
    const signature = macOf(`{"a":"$&"}|${signed}`, { hash: 'sha512', as: 'base64url' })
    const headers = { 'acme-signature': signature, 'x-id': id }
    return verdict(scheme, { secret: 'secret', url: '', body: bytesOf(body), headers })
  }
  expect(await sent('id-1')).toBe('valid')
  expect(await sent('id-1', '{"a":"$$"}')).toBe('mismatch')
  expect(await sent('id-2')).toBe('mismatch')
  for (const id of ['id|1', 'a b', 'ä']) {
    expect(await sent(id, undefined, id)).toBe('signature_malformed')
  }
})

test('a MAC counts for the key of its prefix only', async () => {
  const scheme = defineScheme({
    ...ACME,
    signature: { ...ACME.signature, separator: ',' },
    keys: [
      { algorithm: 'hmac-sha512', secret: 'text', secretPrefix: 'live_', prefix: 'l=' },
      { algorithm: 'hmac-sha512', secret: 'text', secretPrefix: 'test_', prefix: 't=' },
    ],
  })
  const signed = (prefix: string) => {
    const headers = { 'x-signature': `${prefix}${macOf('{}', { hash: 'sha512' })}` }
    return verdict(scheme, { secret: 'live_secret', url: '', headers, body: bytesOf('{}') })
  }
  expect(await signed('l=')).toBe('valid')
  expect(await signed('t=')).toBe('mismatch')
})

test('a time without a zone is in UTC', async () => {
  const scheme = defineScheme({
    ...ACME,
    signed: ['timestamp', { text: ':' }, 'body'],
    timestamp: { at: { header: 'x-time' }, unit: 'utc' },
  })
  const body = bytesOf('{}')
  const signed = (time: string) => {
    const headers = { 'x-time': time, 'x-signature': macOf(`${time}:{}`) }
    return verdict(scheme, { secret: 'secret', url: '', headers, body })
  }
  expect(await signed('2026-11-23T07:00:00.5')).toBe('valid')
  expect(await signed('2026-11-23T07:00:00Z')).toBe('valid')
  expect(await signed('1795392000')).toBe('signature_malformed')
  const instant = 1_795_417_200_500
  expect(scheme.claimedTime?.(() => '2026-11-23T07:00:00.5')).toBe(instant)
  const key = await scheme.importKey('secret', 'The secret')
  const headers = await scheme.sign?.(key, body, { id: '', event: '', time: instant, url: '' })
  expect(headers).toHaveProperty('x-time', '2026-11-23T07:00:00.500')
})

test('a handshake meets all of its conditions', async () => {
  const when = { '/type': 'ping', '/version': 1 }
  const scheme = defineScheme({
    ...ACME,
    handshakes: [{ name: 'ping', when, response: { status: 200 } }],
  })
  const handshakeIn = async (content: object) => {
    const head = scheme.readHead({ method: 'POST', header: () => 'a'.repeat(64) })
    return scheme.handshake?.(head, bytesOf(JSON.stringify(content)), undefined)
  }
  expect(await handshakeIn({ type: 'ping', version: 1 })).toMatchObject({ name: 'ping' })
  expect(await handshakeIn({ type: 'ping', version: 2 })).toBeUndefined()
  expect(await handshakeIn({ version: 1 })).toBeUndefined()
})
