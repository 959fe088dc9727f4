import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { conversation, createEmulator } from '@webhook-receiver/emulator'
import { expect, it } from 'vitest'
import { conclude } from '../page/conclusion.ts'
import { curlCommand } from '../page/copies.ts'
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
  const target = inspector.addTarget({ url: 'http://localhost:1/' })
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
  const target = inspector.addTarget({ url: receiver.url, secret: SECRET })
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

it('says why there is no response, and stops reading a very long one', async () => {
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
  expect([reset.outcome, reset.attempt.error]).toEqual([
    'exhausted',
    expect.stringContaining('ECONNRESET'),
  ])
  expect((await sendAndLoad(url, { target: 'tls', body, sign: true })).attempt.dot).toBe('none')
  const long = await sendAndLoad(url, { target: 'endless', body, sign: true })
  expect([long.attempt.dot, long.outcome]).toEqual(['fail', 'rejected'])
  expect(long.attempt.response.body.length).toBe(4096)
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
  const target = inspector.addTarget({ url: 'http://localhost:1/', secret: SECRET })
  await inspector.received(received('x'.repeat(262_145), headers), target)
  const { attempt } = await load(url, 1)
  expect(attempt.findings).toBeNull()
})

it('counts a valid request that got 4xx or 5xx as a problem', async () => {
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
  const target = inspector.addTarget({ url: 'http://localhost:1/', secret: SECRET })
  await inspector.received(received(BODY), target)
  expect((await post(url, 'clear', {})).status).toBe(200)
  await inspector.received(received(BODY), target)
  const messages = await readStream(url, (seen) => rowsOf(seen).length > 0)
  expect(rowsOf(messages).map(({ n }) => n)).toEqual([2])
  expect(messages.find(({ event }) => event === 'state')?.data.counts.first).toBe(2)
})

it('responds with 400 to what is no JSON object, and gives samples of events', async () => {
  const { url } = await startInspector()
  for (const body of ['{', '1', 'null']) {
    const headers = { 'Content-Type': 'application/json' }
    expect((await ask(`${url}api/send`, { method: 'POST', headers, body })).status).toBe(400)
  }
  const { text } = await ask(`${url}api/sample?event=message.read`)
  const sample = JSON.parse(JSON.parse(text).text)
  expect(sample).toMatchObject({ event: 'message.read', data: { event: 'message.read' } })
  expect((await ask(`${url}api/sample`)).status).toBe(200)
})

it('watches an emulator without its secrets', async () => {
  const { inspector, url } = await startInspector()
  const emulator = createEmulator<string>({ retries: [] })
  inspector.watch(emulator)
  await emulator.start()
  atEnd(() => emulator.stop())
  const target = await serve((req, res) => req.resume().on('end', () => res.writeHead(410).end()))
  emulator.register({ url: target, events: ['message.read', 'message.sent'] })
  await emulator.run(conversation({ rounds: 1 }), { rate: 1000 })
  const messages = await readStream(
    url,
    (seen) => rowsOf(seen).filter(({ outcome }) => outcome === 'rejected').length >= 2,
  )
  expect(new Set(rowsOf(messages).map(({ verdict }) => verdict))).toEqual(new Set([undefined]))
})

it('has no target with a secret that no receiver could have', async () => {
  const { inspector } = await startInspector()
  const target = { url: 'http://localhost:1/', secret: ' padded ' }
  expect(() => inspector.addTarget(target)).toThrow(TypeError)
})

it('says why a valid delivery got a 4xx, a 5xx or nothing, and never that all is well', async () => {
  let status = 401
  const target = await serve((req, res) =>
    req.resume().on('end', () => res.writeHead(status).end()),
  )
  const { inspector, url } = await startInspector()
  inspector.addTarget({ id: 'it', url: target, secret: SECRET })
  inspector.addTarget({ id: 'dead', url: 'http://127.0.0.1:9/', secret: SECRET })
  const command = { target: 'it', body: { text: BODY }, sign: true }
  for (const [responds, sentence, fix] of [
    [401, 'The signature is valid, but your server rejected it with 401.', /secret/],
    [404, 'The signature is valid, but your server rejected it with 404.', /path/],
    [302, 'The signature is valid, but your server rejected it with 302.', /Redirects/],
    [500, 'The signature is valid, but your server failed with 500.', /log/],
    [204, 'Verified, and your server accepted it.', undefined],
  ] as const) {
    status = responds
    const conclusion = conclude(await sendAndLoad(url, command))
    expect(conclusion.sentence).toBe(sentence)
    expect(conclusion.fix).toEqual(fix && expect.stringMatching(fix))
  }
  const tampered = conclude(await sendAndLoad(url, { ...command, tamper: 'body' }))
  expect(tampered.sentence).toBe('You changed the body after signing, and your server accepted it.')
  const dead = conclude(await sendAndLoad(url, { ...command, target: 'dead' }))
  expect(dead.sentence).toContain('No response')
  expect(dead.fix).toBe('Start your server at 127.0.0.1:9, or check the port.')
})

it('shows a body that was too large, without the request that the page sent itself', async () => {
  const { inspector, url } = await startInspector({ replies: true })
  const rejection = { status: 413, reason: 'body_too_large', detail: 'raise --limit' }
  const target = inspector.addTarget({ url: 'http://127.0.0.1:9/', secret: SECRET })
  await inspector.received({ ...received(''), status: 413, rejection }, target)
  const view = await load(url, 1)
  expect(view.attempt).toMatchObject({ dot: 'right', verdict: { reason: 'body_too_large' } })
  const own = await sendAndLoad(url, { target: target.id, body: { text: BODY }, sign: true })
  const { headers, body } = own.attempt
  await inspector.received(received(body.text, headers), target)
  await inspector.received(received(body.text, headers), target)
  const rows = rowsOf(await readStream(url, (seen) => rowsOf(seen).length >= 3))
  expect(rows.map(({ origin }) => origin)).toEqual(['received', 'page', 'received'])
})

it('finds a text in headers and bodies, keeps what is pinned, and responds as the page says', async () => {
  const { inspector, url } = await startInspector({ replies: true })
  const target = inspector.addTarget({ url: 'http://127.0.0.1:9/', secret: SECRET })
  await inspector.received(received('{"deep":"Needle"}'), target)
  await inspector.received(received(BODY, [['X-Trace', 'needle-2']]), target)
  await inspector.received(received(BODY), target)
  expect(JSON.parse((await ask(`${url}api/search?text=NEEDLE`)).text)).toEqual({ found: [1, 2] })
  expect((await post(url, 'pin', { n: 2, pinned: true })).status).toBe(200)
  expect((await post(url, 'pin', { n: 9, pinned: true })).status).toBe(410)
  expect((await post(url, 'clear', {})).status).toBe(200)
  const rows = rowsOf(await readStream(url, (seen) => rowsOf(seen).length > 0))
  expect(rows).toMatchObject([{ n: 2, pinned: true }])
  expect(inspector.reply()).toEqual({})
  for (const [reply, chosen] of [
    ['500', { status: 500 }],
    ['slow', { delay: 15_000 }],
  ] as const) {
    expect((await post(url, 'reply', { reply })).status).toBe(200)
    expect(inspector.reply()).toEqual(chosen)
  }
  expect((await post(url, 'reply', { reply: '200' })).status).toBe(422)
})

it.each<[string, boolean]>([
  [`{"a":"'; touch /tmp/x; '$(id)\`id\`"}\n`, false],
  ['@/etc/passwd', true],
  ['a\u0003\ntouch /tmp/x\n', true],
  ['\u001b[201~\ntouch /tmp/x\n', true],
  [`${'\r'.repeat(200_000)}\t\0`, true],
])('copies a request with the body %# as one curl command that sends it', async (text, encoded) => {
  const { inspector, url } = await startInspector()
  const target = inspector.addTarget({ url: 'http://localhost:1/?a=[1-9]{x,y}' })
  await inspector.received(received(text, [['X-Own', "'; touch /tmp/x; $(id)"]]), target)
  const command = curlCommand(await load(url, 1))
  // A terminal takes these for keys: Ctrl-C ends the line, and what follows is another command.
  expect(command).not.toMatch(/(?!\n)\p{Cc}/u)
  const curl = `curl() { printf '%s\\0' "$@"; ${encoded ? 'cat; ' : ''}}`
  const ran = execFileSync('sh', { input: `${curl}; ${command}` }).toString()
  const sent = encoded ? `@-\0${text}` : `${text}\0`
  const own = "X-Own: '; touch /tmp/x; $(id)"
  const parts = ['-gi', '-X', 'POST', target.url.href, '-H', own, '--data-binary', sent]
  expect(ran).toBe(parts.join('\0'))
})
