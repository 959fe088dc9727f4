import { signDelivery } from '@webhook-receiver/core/testing'
import { conversation, createEmulator } from '@webhook-receiver/emulator'
import { expect, it } from 'vitest'
import { conclude } from '../page/conclusion.ts'
import {
  ask,
  atEnd,
  BODY,
  inspecting,
  load,
  post,
  readStream,
  responding,
  rowsOf,
  SECRET,
  SIGNED,
  sendAndLoad,
  serve,
  startInspector,
  startReceiver,
} from './setup.ts'

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

it('shows the response of the server that a request was forwarded to', async () => {
  const forwardsTo = 'http://localhost:3000/stripe'
  const { inspector, url } = await startInspector({ forwardsTo })
  const target = inspector.addTarget({ url: 'http://localhost:1/' })
  const response = { headers: [['Retry-After', '5']] as const, body: 'busy' }
  await inspector.received({ ...received(BODY), status: 503, response }, target)
  const error = 'connect ECONNREFUSED'
  await inspector.received({ ...received(BODY), status: undefined, response: { error } }, target)
  expect((await load(url, 1)).attempt).toMatchObject({ dot: 'fail', status: 503, response })
  expect((await load(url, 2)).attempt).toMatchObject({ dot: 'none', error })
  expect(conclude(await load(url, 1)).sentence).toBe(
    'The signature was not checked here, but your server failed with 503.',
  )
  expect(conclude(await load(url, 2)).fix).toContain('Start your server')
  await readStream(url, (messages) => JSON.stringify(messages).includes(forwardsTo))
})

it('says what the signature is worth, and what the server behind the page made of it', async () => {
  const { inspector, url, target } = await inspecting({}, { forwardsTo: 'http://localhost:3000/' })
  const { headers, body } = await signDelivery(SECRET, Buffer.from(BODY))
  const valid = { ...received(body, Object.entries(headers)), duration: 31 }
  const cases = [
    [valid, 204, 'The signature is valid. Your server responded with 204 in 31 ms.'],
    [received('{}'), 401, /^There is no X-Webhook-Signature.*; your server rejected it\.$/],
    [received('{}'), 204, /^There is no X-Webhook-Signature.*; your server accepted it\.$/],
    [received('{}'), 500, /; your server failed with 500 instead of rejecting it\.$/],
  ] as const
  for (const [index, [request, status, sentence]] of cases.entries()) {
    await inspector.received({ ...request, status }, target)
    const view = await load(url, index + 1)
    expect(conclude(view).sentence).toEqual(expect.stringMatching(sentence))
  }
})

it('compares with each of several secrets, by name', async () => {
  const receiver = await startReceiver()
  const secret = { now: SECRET, before: 'whsec_before', unset: undefined }
  const { url } = await inspecting({ url: receiver.url, secret })
  const view = await sendAndLoad(url, SIGNED)
  expect(view.attempt.verdict).toEqual({ valid: true, secretName: 'now' })
  const names = view.attempt.signature.expected.map(
    ({ secretName, equal }: { secretName: string; equal: boolean }) => [secretName, equal],
  )
  expect(names).toEqual([
    ['now', true],
    ['before', false],
  ])
})

it('stops reading a very long response', async () => {
  const endless = await serve((req, res) => {
    req.resume()
    res.writeHead(500)
    const write = () => {
      while (!res.destroyed && res.write('x'.repeat(65_536)));
    }
    res.on('drain', write)
    write()
  })
  const { url } = await inspecting({ url: endless })
  const { attempt } = await sendAndLoad(url, { target: 'it', body: { text: BODY } })
  expect([attempt.dot, attempt.response.body.length]).toEqual(['fail', 4096])
})

it('does not search for the cause in a body of more than 256 KiB', async () => {
  const { inspector, url, target } = await inspecting()
  const headers = [
    ['X-Webhook-Timestamp', String(Math.floor(Date.now() / 1000))],
    ['X-Webhook-Signature', `sha256=${'0'.repeat(64)}`],
  ] as const
  await inspector.received(received('x'.repeat(262_145), headers), target)
  const { attempt } = await load(url, 1)
  expect(attempt.findings).toBeNull()
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
  const { inspector, url, target } = await inspecting()
  await inspector.received(received(BODY), target)
  expect((await post(url, 'clear', {})).status).toBe(200)
  await inspector.received(received(BODY), target)
  const messages = await readStream(url, (seen) => rowsOf(seen).length > 0)
  expect(rowsOf(messages).map(({ n }) => n)).toEqual([2])
  const state = messages.find(({ event }) => event === 'state')?.data
  // What somebody has cleared was not dropped.
  expect(state.counts).toMatchObject({ first: 2, dropped: 0 })
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
  const target = await responding(() => 410)
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
  const target = await responding(() => status)
  const { inspector, url } = await inspecting({ url: target })
  inspector.addTarget({ id: 'dead', url: 'http://127.0.0.1:9/', secret: SECRET })
  for (const [responds, dot, sentence, fix] of [
    [401, 'bad', 'The signature is valid, but your server rejected it with 401.', /secret/],
    [404, 'bad', 'The signature is valid, but your server rejected it with 404.', /path/],
    [302, 'bad', 'The signature is valid, but your server rejected it with 302.', /Redirects/],
    [500, 'fail', 'The signature is valid, but your server failed with 500.', /log/],
    [
      204,
      'good',
      /^The signature is valid\. Your server responded with 204 in [\d.]+ ms\.$/,
      undefined,
    ],
  ] as const) {
    status = responds
    const view = await sendAndLoad(url, SIGNED)
    const conclusion = conclude(view)
    expect([view.attempt.dot, conclusion.sentence]).toEqual([dot, expect.stringMatching(sentence)])
    expect(conclusion.fix ?? conclusion.next).toEqual(fix && expect.stringMatching(fix))
  }
  const start = 'export WEBHOOK_SECRET=…'
  inspector.addTarget({ id: 'it', url: target, secret: SECRET, start })
  status = 401
  expect(conclude(await sendAndLoad(url, SIGNED)).fix).toContain(start)
  status = 204
  const tampered = conclude(await sendAndLoad(url, { ...SIGNED, tamper: 'body' }))
  expect(tampered.sentence).toBe('Tampered with (body changed); your server accepted it.')
  expect(tampered.fix).toContain('Verify the signature')
  const dead = conclude(await sendAndLoad(url, { ...SIGNED, target: 'dead' }))
  expect(dead.sentence).toContain('No response')
  expect(dead.fix).toBe('Start your server at 127.0.0.1:9, or check the port.')
})

it('shows a body that was too large, without the request that the page sent itself', async () => {
  const { inspector, url, target } = await inspecting({}, { replies: true })
  const rejection = { status: 413, reason: 'body_too_large', detail: 'raise --limit' }
  await inspector.received({ ...received(''), status: 413, rejection }, target)
  const view = await load(url, 1)
  expect(view.attempt).toMatchObject({ dot: 'bad', verdict: { reason: 'body_too_large' } })
  const own = await sendAndLoad(url, SIGNED)
  const { headers, body } = own.attempt
  await inspector.received(received(body.text, headers), target)
  await inspector.received(received(body.text, headers), target)
  const rows = rowsOf(await readStream(url, (seen) => rowsOf(seen).length >= 3))
  expect(rows.map(({ origin }) => origin)).toEqual(['received', 'page', 'received'])
})

it('finds words in headers and bodies, and responds as the page says', async () => {
  const { inspector, url, target } = await inspecting({}, { replies: true })
  await inspector.received(received('{"deep":"Needle"}'), target)
  await inspector.received(received(BODY, [['X-Trace', 'needle-2']]), target)
  await inspector.received(received(BODY), target)
  const found = async (text: string) =>
    JSON.parse((await ask(`${url}api/search?text=${encodeURIComponent(text)}`)).text).found
  expect(await found('NEEDLE')).toEqual([1, 2])
  expect(await found('needle-2 message.READ')).toEqual([2])
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
