import { createWebhookClient } from '@webhook-receiver/client'
import { EVENTS } from '@webhook-receiver/core'
import { createEmulator } from '@webhook-receiver/emulator'
import { expect, test } from 'vitest'
import { document, validatorOf } from './validators.ts'

const { Registration, CreatedWebhook } = document('openapi.json').components.schemas

const url = 'https://receiver.example/webhooks'

test('the schemas accept what the client sends and what the emulator responds', async () => {
  const emulator = createEmulator()
  await emulator.start()
  const seen: unknown[] = []
  try {
    const client = createWebhookClient({
      baseUrl: emulator.baseUrl,
      apiKey: emulator.apiKey,
      allowInsecureLoopback: true,
      fetch: async (address, request) => {
        const response = await fetch(address, request)
        seen.push(JSON.parse(String(request.body)), await response.clone().json())
        return response
      },
    })
    await client.create({ url, events: EVENTS })
  } finally {
    await emulator.stop()
  }
  expect(seen[0]).toEqual({ url, events: EVENTS })
  expect(validatorOf(Registration)(seen[0])).toBe(true)
  expect(seen[1]).toMatchObject({ secret: expect.stringMatching(/^whsec_/) })
  expect(validatorOf(CreatedWebhook)(seen[1])).toBe(true)
})

test.each([
  ['no url', { events: EVENTS }],
  ['a url without TLS', { url: 'http://receiver.example/', events: EVENTS }],
  ['an empty list of events', { url, events: [] }],
  ['an event twice', { url, events: ['message.read', 'message.read'] }],
  ['an event that does not exist', { url, events: ['message.recieved'] }],
])('the client sends no registration with %s, and the schema rejects it', async (_, body) => {
  const sent: unknown[] = []
  const client = createWebhookClient({
    baseUrl: 'https://service.example',
    apiKey: 'key-0123456789',
    fetch: async (address) => {
      sent.push(address)
      return new Response()
    },
  })
  await expect(Reflect.apply(client.create, client, [body])).rejects.toThrow(TypeError)
  expect(sent).toEqual([])
  expect(validatorOf(Registration)(body)).toBe(false)
})

test.each([[{}], [{ secret: '' }], [{ secret: 'sk_1' }]])(
  'the schema rejects the response %j',
  (body) => {
    expect(validatorOf(CreatedWebhook)(body)).toBe(false)
  },
)
