import { EVENTS } from '@webhook-receiver/core'
import { createEmulator } from '@webhook-receiver/emulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createWebhookClient } from '../src/index.ts'
import { serveResponse } from './misbehaving-server.ts'

const apiKey = 'local-key-0123456789'
const url = 'https://example.com/webhooks?tenant=1'

const client = (baseUrl: string) =>
  createWebhookClient({ baseUrl, apiKey, allowInsecureLoopback: true })

it('creates a webhook at the emulator, and hands over its secret and its record', async () => {
  const emulator = createEmulator({ apiKey })
  await emulator.start()
  onTestFinished(() => emulator.stop())
  const created = await client(`${emulator.baseUrl}/`).create({ url, events: EVENTS })
  expect(created.secret).toMatch(/^whsec_.{20}/)
  expect(emulator.webhooks()).toEqual([created.record])
})

/** What is created by a server that responds so. */
async function createdBy(body: string, status = 201) {
  const { baseUrl } = await serveResponse(status, body)
  return client(baseUrl).create({ url, events: ['message.sent'] })
}

describe('a response of another shape', () => {
  it('takes any 2xx', async () => {
    const created = await createdBy('{"secret":"whsec_12345678","n":[1,null]}', 299)
    expect([created.secret, created.record]).toEqual(['whsec_12345678', { n: [1, null] }])
  })

  it('keeps the secret and the key out of the record, wherever the response repeats them', async () => {
    const nested = { again: ['x whsec_12345678'], key: apiKey }
    const body = { secret: 'whsec_12345678', nested, whsec_12345678: 1 }
    expect((await createdBy(JSON.stringify(body))).record).toEqual({
      nested: { again: ['x [the secret]'], key: '[the API key]' },
      '[the secret]': 1,
    })
  })

  it('has an empty record if that repeats the secret in another spelling', async () => {
    const secret = 'whsec_a/b+c "12345678"'
    const repeats = [secret, `https://example.com/?s=${encodeURIComponent(secret)}`]
    for (const repeated of [...repeats, JSON.stringify({ secret })]) {
      const created = await createdBy(JSON.stringify({ secret, id: 1, repeated }))
      expect([created.secret, created.record]).toEqual([secret, {}])
    }
  })

  it('returns a secret next to what is too deep for a record', async () => {
    const deep = `${'['.repeat(200_000)}0${']'.repeat(200_000)}`
    const created = await createdBy(`{"secret":"whsec_12345678","deep":${deep}}`)
    expect([created.secret, created.record]).toEqual(['whsec_12345678', {}])
  })
})
