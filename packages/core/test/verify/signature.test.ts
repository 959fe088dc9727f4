import { describe, expect, test } from 'vitest'
import { expectRejection, received, rejectionOf, signed } from '../deliveries.ts'

describe('the MAC', () => {
  test('covers bytes: an FF in place of a signed U+FFFD is rejected: 401 signature_mismatch', async () => {
    expect((await received('replacement character')).delivery.data.data).toEqual({
      text: 'bad \uFFFD byte',
    })
    const bytes = Buffer.from(signed('replacement character').body)
    const at = bytes.indexOf('\uFFFD')
    const swapped = Buffer.concat([bytes.subarray(0, at), Buffer.of(0xff), bytes.subarray(at + 3)])
    expect(swapped.toString()).toBe(bytes.toString())
    await expectRejection(
      received('replacement character', { body: swapped }),
      401,
      'signature_mismatch',
    )
  })

  test('covers bytes: the same JSON in another spelling is rejected: 401 signature_mismatch', async () => {
    expect((await received('spaced and escaped')).delivery.known).toBe(true)
    const text = Buffer.from(signed('spaced and escaped').body).toString()
    for (const other of [JSON.stringify(JSON.parse(text)), text.trim(), text.replace('\r', '')]) {
      expect(JSON.parse(other)).toEqual(JSON.parse(text))
      const body = Buffer.from(other)
      await expectRejection(received('spaced and escaped', { body }), 401, 'signature_mismatch')
    }
  })

  test('covers every byte of the body, and how many there are', async () => {
    const { body } = signed('message.read')
    const others = Array.from(body, (_, at) => body.map((byte, i) => (i === at ? byte ^ 1 : byte)))
    others.push(body.slice(1), body.slice(0, -1), Uint8Array.of(...body, 0x20), new Uint8Array(0))
    const reasons = others.map((other) => rejectionOf(received('message.read', { body: other })))
    const distinct = new Set((await Promise.all(reasons)).map(({ reason }) => reason))
    expect([...distinct]).toEqual(['signature_mismatch'])
    expect(others).toHaveLength(body.length + 4)
  })

  test.each([
    '1760000001',
    '01760000000',
    '1760000000 ',
    '1760000000000',
    '1760000000.',
    '2025-10-09T08:53:20Z',
    '1760000000, 1760000000',
  ])('covers the timestamp as sent: %j is rejected: 401 signature_mismatch', async (timestamp) => {
    const headers = { 'x-webhook-timestamp': timestamp }
    await expectRejection(received('message.read', { headers }), 401, 'signature_mismatch')
  })

  test('reads a body that is a view into a larger buffer', async () => {
    const { body } = signed('message.read')
    const around = new Uint8Array(body.length + 100).fill(0x7b)
    around.set(body, 50)
    const view = around.subarray(50, 50 + body.length)
    const { delivery } = await received('message.read', { body: view })
    expect(delivery.event).toBe('message.read')
  })

  test('cannot be that of another delivery', async () => {
    const headers = { 'x-webhook-signature': signed('message.sent').signature }
    await expectRejection(received('message.read', { headers }), 401, 'signature_mismatch')
  })
})
