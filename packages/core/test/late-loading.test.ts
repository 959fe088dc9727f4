import { expect, test, vi } from 'vitest'
import { incoming, NOW, refusalOf, signed } from './deliveries.ts'

const loaded: string[] = []

vi.mock('@webhook-receiver/core/reporter', (original) => {
  loaded.push('reporter')
  return original()
})

vi.mock('@webhook-receiver/core/request', (original) => {
  loaded.push('request')
  return original()
})

const { createReceiver } = await import('../src/index.ts')
const { secret } = signed('message.received')

test('a receiver that accepts loads no words, and one that refuses loads them once', async () => {
  const receiver = createReceiver(secret, { now: () => NOW, onRejected: false })
  await receiver.receive(incoming('message.received'))
  expect(loaded).toEqual([])
  for (const body of [new Uint8Array(1), new Uint8Array(2)]) {
    await refusalOf(receiver.receive(incoming('message.received', { body })))
  }
  expect(loaded).toEqual(['reporter'])
})

test('what reads a web-standard Request is loaded with the first one', async () => {
  const receiver = createReceiver(secret, { onRejected: false })
  await refusalOf(receiver.receiveRequest(new Request('http://localhost/')))
  expect(loaded).toEqual(['reporter', 'request'])
})
