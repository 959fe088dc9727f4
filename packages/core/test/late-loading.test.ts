import { expect, test, vi } from 'vitest'
import answers from './known-answers/deliveries.json' with { type: 'json' }

// Nothing of ./deliveries.ts here: it loads explain itself.
const loaded: string[] = vi.hoisted(() => [])

vi.mock('../src/reporter.ts', (original) => {
  loaded.push('reporter')
  return original()
})

vi.mock('../src/explain.ts', (original) => {
  loaded.push('explain')
  return original()
})

vi.mock('../src/report.ts', (original) => {
  loaded.push('report')
  return original()
})

vi.mock('../src/fingerprint.ts', (original) => {
  loaded.push('fingerprint')
  return original()
})

vi.mock('../src/request.ts', (original) => {
  loaded.push('request')
  return original()
})

const { createReceiver } = await import('../src/index.ts')

const { body, secret, timestamp, signature } = answers.deliveries['message.received']
const headers: Readonly<Record<string, string>> = {
  'x-webhook-timestamp': timestamp,
  'x-webhook-signature': signature,
}
const incoming = (text: string) => ({
  method: 'POST',
  header: (name: string) => headers[name],
  readBody: () => Buffer.from(text),
  context: new Request('http://localhost/'),
})
const receiver = createReceiver(secret, { now: () => answers.now, onRejected: false })
const words = ['explain', 'fingerprint', 'report', 'reporter']

test('a receiver that accepts loads no words, and one that refuses loads them once', async () => {
  const { delivery } = await receiver.receive(incoming(body))
  expect(delivery.event).toBe('message.received')
  expect(loaded).toEqual([])
  for (const forged of ['1', '22']) {
    await expect(receiver.receive(incoming(forged))).rejects.toMatchObject({
      reason: 'signature_mismatch',
      detail: expect.stringContaining(`the ${forged.length} bytes`),
    })
  }
  expect(loaded.toSorted()).toEqual(words)
})

test('what reads a web-standard Request is loaded with the first one', async () => {
  for (let times = 0; times < 2; times++) {
    const get = receiver.receiveRequest(new Request('http://localhost/'))
    await expect(get).rejects.toMatchObject({ reason: 'method_not_allowed' })
  }
  expect(loaded.toSorted()).toEqual([...words, 'request'])
})
