import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import answers from './known-answers/deliveries.json' with { type: 'json' }

// Nothing of ./deliveries.ts here: it loads parts of core itself.
const parts = [
  'observe/notifier',
  'reject/explanation',
  'reject/report',
  'request/web-request',
  'verify/fingerprint',
]
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

let loaded: string[]

beforeEach(() => {
  vi.resetModules()
  loaded = []
  for (const name of parts) {
    vi.doMock(`../src/${name}.ts`, (original) => {
      loaded.push(name)
      return original()
    })
  }
})

afterEach(() => {
  vi.doUnmock('@webhook-receiver/diagnose')
  vi.restoreAllMocks()
})

test('whatever an answer needs is loaded before the first request', async () => {
  const { createReceiver } = await import('../src/index.ts')
  expect(loaded.toSorted()).toEqual(parts)
  const receiver = createReceiver(secret, { now: () => answers.now, onRejected: false })
  expect((await receiver.receive(incoming(body))).delivery.event).toBe('message.received')
  const forged = receiver.receive(incoming('1'))
  await expect(forged).rejects.toMatchObject({ reason: 'signature_mismatch' })
  const get = receiver.receiveRequest(new Request('http://localhost/'))
  await expect(get).rejects.toMatchObject({ reason: 'method_not_allowed' })
  expect(loaded.toSorted()).toEqual(parts)
})

test('a diagnosis that cannot be loaded changes no answer, is reported once and tried again', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const { createReceiver } = await import('../src/index.ts')
  let now = answers.now
  const receiver = createReceiver(secret, { now: () => now, onRejected: false, diagnose: true })
  const refused = async () => {
    now += 1000
    const error: unknown = await receiver.receive(incoming(`${body} `)).catch((thrown) => thrown)
    expect(error).toMatchObject({ status: 401, reason: 'signature_mismatch' })
    return String(Reflect.get(Object(error), 'detail'))
  }
  vi.doMock('@webhook-receiver/diagnose', () => {
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  })
  for (let times = 0; times < 3; times++) expect(await refused()).not.toContain('Diagnosis:')
  expect(print.mock.calls).toEqual([
    [expect.stringContaining('The diagnosis failed'), expect.anything()],
  ])
  vi.doUnmock('@webhook-receiver/diagnose')
  expect(await refused()).toContain('Diagnosis:')
  expect(print).toHaveBeenCalledTimes(1)
})

test('core and the adapters load nothing late that an answer depends on', () => {
  const packages = fileURLToPath(new URL('../../', import.meta.url))
  const found = ['core', 'node', 'express', 'koa', 'fastify', 'hono', 'aws-lambda'].flatMap(
    (name) => {
      const folder = join(packages, name, 'src')
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      return files
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file))
        .filter((file) => /\b(?:import|require)\(/.test(readFileSync(file, 'utf8')))
    },
  )
  expect(found.map((file) => relative(packages, file))).toEqual([
    join('core', 'src', 'observe', 'diagnosis-rate.ts'),
    // raw-body, where the answer is the same if that fails.
    join('node', 'src', 'body.ts'),
  ])
})
