import { generateKeyPairSync, sign } from 'node:crypto'
import { createReceiver } from '@webhook-receiver/core'
import { describe, expect, test } from 'vitest'
import { defineScheme, telnyx } from '../src/index.ts'
import { requestOf } from './signed.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const KEY = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
const NOW = 1_795_392_000_000
const OPTIONS = { scheme: telnyx, now: () => NOW, onRejected: false } as const

/** A request that Telnyx signed this number of seconds ago. */
function signed(body: string, age = 0): Request {
  const time = `${NOW / 1000 - age}`
  const headers = {
    'telnyx-timestamp': time,
    'telnyx-signature-ed25519': sign(null, Buffer.from(`${time}|${body}`), privateKey).toString(
      'base64',
    ),
  }
  return requestOf({ headers, body })
}

const LINK = { record_type: 'link_clicked', url: 'https://telnyx.com', message_id: 'm1' }
const FORM = 'AccountSid=f55&CallSid=v3%3A9X2&CallStatus=ringing&From=%2B35319605860'

describe('the key of a delivery without an id', () => {
  const keyOf = async (body: string, age?: number) =>
    (await createReceiver(KEY, OPTIONS).receiveRequest(signed(body, age))).verification.key

  test('is of what was signed, without its time', async () => {
    const key = await keyOf(JSON.stringify({ data: LINK }))
    expect(key).toMatch(/^sha256-[0-9a-f]{64}$/)
    expect(await keyOf(JSON.stringify({ data: LINK }), 7)).toBe(key)
    expect(await keyOf(JSON.stringify({ data: { ...LINK, message_id: 'm2' } }))).not.toBe(key)
    expect(await keyOf(FORM)).not.toBe(await keyOf(FORM.replace('ringing', 'completed')))
    expect(await keyOf('{"data":{"id":"e1"}}')).toBe('e1')
  })
})

test('where a value does not say so, an event without its signed id is 400', async () => {
  const scheme = defineScheme({ ...telnyx.value, name: 'strict', idIsOptional: undefined })
  const receiver = createReceiver(KEY, { ...OPTIONS, scheme })
  await expect(
    receiver.receiveRequest(signed(JSON.stringify({ data: LINK }))),
  ).rejects.toMatchObject({
    reason: 'envelope_invalid',
    detail: expect.stringContaining(
      'the id (/data/id or /id) should be a non-empty string, or a whole number below 2^53',
    ),
  })
})
