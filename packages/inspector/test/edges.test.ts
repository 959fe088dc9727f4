import { createServer } from 'node:net'
import { createEmulator } from '@webhook-receiver/emulator'
import { createInspector } from '@webhook-receiver/inspector'
import { expect, it } from 'vitest'
import {
  ask,
  atEnd,
  post,
  readStream,
  rowsOf,
  SECRET,
  serve,
  startInspector,
  startReceiver,
} from './setup.ts'

const BODY =
  '{"id":"d1","event":"message.read","created_at":"x","data":{"instance_id":"i","event":"message.read","data":{},"timestamp":"x"}}'

async function load(url: string, n: number) {
  return JSON.parse((await ask(`${url}api/attempt?n=${n}`)).text)
}

async function sendAndLoad(url: string, command: object) {
  const { n } = JSON.parse((await post(url, 'send', command)).text)
  await readStream(url, (messages) =>
    rowsOf(messages).some((row) => row.n === n && row.outcome !== 'pending'),
  )
  return load(url, n)
}

function received(body: string | Uint8Array, headers: readonly (readonly [string, string])[] = []) {
  const request = { method: 'POST', target: '/', httpVersion: '1.1', headers }
  return { ...request, at: Date.now(), status: 204, duration: 1, body: Buffer.from(body) }
}

it('shows a request that nobody can verify, and cannot sign it again', async () => {
  const { inspector, url } = await startInspector()
  const target = { url: 'http://localhost:1/' }
  await inspector.received(received(BODY), target)
  await inspector.received({ ...received('[]'), status: undefined }, target)
  const { attempt, canSign, verdict } = await load(url, 1)
  expect([attempt.verdict, attempt.signature, canSign, verdict]).toEqual([
    null,
    null,
    false,
    undefined,
  ])
  expect(attempt.dot).toBe('good')
  expect((await load(url, 2)).attempt).toMatchObject({
    dot: 'none',
    error: 'the sender disconnected',
  })
  const { status, text } = await post(url, 'send', { from: { n: 1, attempt: 1 }, sign: true })
  expect([status, text]).toEqual([422, expect.stringContaining('no secret')])
  expect((await ask(`${url}api/attempt?n=1&attempt=2`)).status).toBe(410)
  expect((await ask(`${url}api/capture?n=1`)).status).toBe(200)
})

it('compares with each of several secrets, by name', async () => {
  const receiver = await startReceiver()
  const { inspector, url } = await startInspector()
  const secret = { now: SECRET, before: 'whsec_before', unset: undefined }
  inspector.addTarget({ id: 'it', url: receiver.url, secret })
  const view = await sendAndLoad(url, { target: 'it', body: { text: BODY }, sign: true })
  expect(view.attempt.verdict).toEqual({ valid: true, secretName: 'now' })
  const names = view.attempt.signature.expected.map(
    ({ secretName, equal }: { secretName: string; equal: boolean }) => [secretName, equal],
  )
  expect(names).toEqual([
    ['now', true],
    ['before', false],
  ])
})

it.each([
  ['1767225600123', /^\d{13}$/],
  ['2026-01-01T00:00:00.000Z', /^\d{4}-\d\d-\d\dT/],
  ['Thu, 01 Jan 2026 00:00:00 GMT', /GMT$/],
  ['1767225600', /^\d{10}$/],
])('signs again in the form that %s has', async (timestamp, form) => {
  const receiver = await startReceiver()
  const { inspector, url } = await startInspector()
  const target = { url: receiver.url, secret: SECRET }
  await inspector.received(received(BODY, [['X-Webhook-Timestamp', timestamp]]), target)
  const view = await sendAndLoad(url, { from: { n: 1, attempt: 1 }, sign: true })
  expect(view.status).toBe(204)
  expect(view.attempt.signature.timestamp).toMatch(form)
  const later = await sendAndLoad(url, { from: { n: 1, attempt: 1 }, tamper: 'timestamp' })
  expect([later.status, later.attempt.verdict.reason]).toEqual([401, 'signature_mismatch'])
})

it('tampers with a body that has no letter', async () => {
  const receiver = await startReceiver()
  const { inspector, url } = await startInspector()
  inspector.addTarget({ id: 'it', url: receiver.url, secret: SECRET })
  const view = await sendAndLoad(url, { target: 'it', body: { text: '1' }, tamper: 'body' })
  expect([view.status, view.attempt.body]).toEqual([401, { text: 'x' }])
})

it('says why there is no answer, and stops reading a very long one', async () => {
  const broken = createServer((socket) => {
    socket.on('error', () => {})
    socket.resetAndDestroy()
  })
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', () => resolve()))
  atEnd(() => broken.close())
  const address = broken.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const endless = await serve((req, res) => {
    req.resume()
    res.writeHead(500)
    const write = () => {
      while (!res.destroyed && res.write('x'.repeat(65_536)));
    }
    res.on('drain', write)
    write()
  })
  const { inspector, url } = await startInspector()
  inspector.addTarget({ id: 'broken', url: `http://127.0.0.1:${port}/`, secret: SECRET })
  inspector.addTarget({ id: 'tls', url: `https://127.0.0.1:${port}/`, secret: SECRET })
  inspector.addTarget({ id: 'endless', url: endless, secret: SECRET })
  const body = { text: BODY }
  const reset = await sendAndLoad(url, { target: 'broken', body, sign: true })
  expect([reset.outcome, reset.attempt.answer.error]).toEqual([
    'exhausted',
    expect.stringContaining('ECONNRESET'),
  ])
  expect((await sendAndLoad(url, { target: 'tls', body, sign: true })).attempt.dot).toBe('none')
  const long = await sendAndLoad(url, { target: 'endless', body, sign: true })
  expect([long.attempt.dot, long.outcome]).toEqual(['fail', 'refused'])
  expect(long.attempt.answer.body.length).toBe(4096)
  const bad = await sendAndLoad(url, {
    target: 'broken',
    body,
    headers: [
      ['Expect', 'x'],
      ['X-Empty', ''],
    ],
  })
  expect(new Map(bad.attempt.headers).has('Expect')).toBe(false)
})

it('does not search for the cause in a body of more than 256 KiB', async () => {
  const { inspector, url } = await startInspector()
  const headers = [
    ['X-Webhook-Timestamp', String(Math.floor(Date.now() / 1000))],
    ['X-Webhook-Signature', `sha256=${'0'.repeat(64)}`],
  ] as const
  const target = { url: 'http://localhost:1/', secret: SECRET }
  await inspector.received(received('x'.repeat(262_145), headers), target)
  const { attempt } = await load(url, 1)
  expect([attempt.findings, attempt.undiagnosed]).toEqual([
    [],
    expect.stringContaining('too large'),
  ])
})

it('counts a genuine request that was answered 4xx or 5xx as a problem', async () => {
  let status = 404
  const target = await serve((req, res) =>
    req.resume().on('end', () => res.writeHead(status).end()),
  )
  const { inspector, url } = await startInspector()
  inspector.addTarget({ id: 'it', url: target, secret: SECRET })
  const command = { target: 'it', body: { text: BODY }, sign: true }
  expect((await sendAndLoad(url, command)).attempt.dot).toBe('bad')
  status = 503
  expect((await sendAndLoad(url, command)).attempt.dot).toBe('fail')
  expect((await sendAndLoad(url, { ...command, tamper: 'body' })).attempt.dot).toBe('fail')
})

it('has room for 16 pages, and tells the next one', async () => {
  const { url } = await startInspector()
  const ends: AbortController[] = []
  for (let page = 0; page < 16; page++) {
    const end = new AbortController()
    ends.push(end)
    expect((await fetch(`${url}api/events`, { signal: end.signal })).status).toBe(200)
  }
  expect((await ask(`${url}api/events`)).status).toBe(503)
  for (const end of ends) end.abort()
  await expect
    .poll(async () => {
      const end = new AbortController()
      const { status } = await fetch(`${url}api/events`, { signal: end.signal })
      end.abort()
      return status
    })
    .toBe(200)
})

it('forgets everything on request, and goes on counting', async () => {
  const { inspector, url } = await startInspector()
  const target = { url: 'http://localhost:1/', secret: SECRET }
  await inspector.received(received(BODY), target)
  expect((await post(url, 'clear', {})).status).toBe(200)
  await inspector.received(received(BODY), target)
  const messages = await readStream(url, (seen) => rowsOf(seen).length > 0)
  expect(rowsOf(messages).map(({ n }) => n)).toEqual([2])
  expect(messages.find(({ event }) => event === 'state')?.data.counts.first).toBe(2)
})

it('answers 400 to what is no JSON object, and gives samples of events', async () => {
  const { url } = await startInspector()
  for (const body of ['{', '1', 'null']) {
    const headers = { 'Content-Type': 'application/json' }
    expect((await ask(`${url}api/send`, { method: 'POST', headers, body })).status).toBe(400)
  }
  const { text } = await ask(`${url}api/sample?event=message.read`)
  expect(JSON.parse(text)).toMatchObject({ event: 'message.read', data: { event: 'message.read' } })
  expect((await ask(`${url}api/sample`)).status).toBe(200)
})

it('says why a receiver could not be examined, and stops on request', async () => {
  const { inspector, url } = await startInspector({
    doctor: (_receiver, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('it was stopped')))
      }),
  })
  inspector.addTarget({ id: 'it', url: 'http://localhost:1/', secret: SECRET })
  inspector.addTarget({ id: 'unknown', url: 'http://localhost:2/' })
  expect((await post(url, 'doctor', { target: 'unknown' })).status).toBe(422)
  expect((await post(url, 'doctor', { target: 'it' })).status).toBe(200)
  expect((await post(url, 'doctor/stop', {})).status).toBe(200)
  await readStream(url, (seen) =>
    seen.some(({ event, data }) => event === 'state' && data.doctor.problem === 'it was stopped'),
  )
})

it('watches an emulator without its secrets, and ends a scenario after its count', async () => {
  const { inspector, url } = await startInspector()
  const emulator = createEmulator<string>({ retries: [] })
  inspector.watch(createEmulator<string>())
  inspector.watch(emulator)
  await emulator.start()
  atEnd(() => emulator.stop())
  const target = await serve((req, res) => req.resume().on('end', () => res.writeHead(410).end()))
  emulator.register({ url: target, events: ['message.read', 'message.sent'] })
  await inspector.runScenario({ rate: 1000, count: 7, faults: ['alter'], faultRate: 0 })
  const messages = await readStream(
    url,
    (seen) => rowsOf(seen).filter(({ outcome }) => outcome === 'refused').length >= 2,
  )
  expect(new Set(rowsOf(messages).map(({ verdict }) => verdict))).toEqual(new Set([undefined]))
  await inspector.runScenario({ count: 1 })
})

it('starts once, on a port that is free, and only for addresses of the web', async () => {
  const { inspector, url } = await startInspector()
  await expect(inspector.start()).rejects.toThrow('already running')
  const other = createInspector({ port: Number(new URL(url).port) })
  await expect(other.start()).rejects.toThrow('cannot listen on port')
  expect(() => inspector.addTarget({ url: 'ftp://localhost/' })).toThrow(TypeError)
  expect(() => inspector.addTarget({ url: 'nothing' })).toThrow(TypeError)
  await expect(inspector.runScenario()).rejects.toThrow('no emulator')
})

it('refuses a secret that no receiver could have', async () => {
  const { inspector } = await startInspector()
  const target = { url: 'http://localhost:1/', secret: ' padded ' }
  expect(() => inspector.addTarget(target)).toThrow(TypeError)
  await expect(inspector.received(received(BODY), target)).rejects.toThrow(TypeError)
})
