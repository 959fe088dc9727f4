import { beforeEach, expect, test, vi } from 'vitest'
import answers from './known-answers/deliveries.json' with { type: 'json' }

// Nothing of ./deliveries.ts here: it loads explain itself.
const words = ['explain', 'fingerprint', 'report', 'reporter']
let loaded: string[]

beforeEach(() => {
  vi.resetModules()
  loaded = []
  for (const name of [...words, 'request']) {
    vi.doMock(`../src/${name}.ts`, (original) => {
      loaded.push(name)
      return original()
    })
  }
})

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

/** A receiver of a process that has only just started. */
async function fresh() {
  const { createReceiver } = await import('../src/index.ts')
  return createReceiver(secret, { now: () => answers.now, onRejected: false })
}

test('a receiver that accepts loads no words, and one that refuses loads them once', async () => {
  const receiver = await fresh()
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
  const receiver = await fresh()
  for (let times = 0; times < 2; times++) {
    const get = receiver.receiveRequest(new Request('http://localhost/'))
    await expect(get).rejects.toMatchObject({ reason: 'method_not_allowed' })
  }
  expect(loaded.toSorted()).toEqual([...words, 'request'])
})
