import { expect, it } from 'vitest'
import { prettyJson } from '../src/pretty-json.ts'
import {
  AGAIN,
  arrived,
  BODY,
  inspecting,
  POSTED,
  rowsOf,
  SECRET,
  SIGNED,
  serve,
  startInspector,
  startReceiver,
} from './setup.ts'

it('shows a request that nobody can verify, and cannot sign it again', async () => {
  const { inspector, target, get, post, load } = await inspecting({ secret: undefined })
  await inspector.received(arrived(), target)
  await inspector.received(arrived('[]', { status: undefined }), target)
  const view = await load(1)
  expect(view).toMatchObject({ canSign: false, attempt: { verdict: null, signature: null } })
  expect(view).not.toHaveProperty('verdict')
  const error = 'the sender disconnected'
  expect((await load(2)).attempt).toMatchObject({ dot: 'none', error })
  const text = expect.stringContaining('no secret')
  expect(await post('send', AGAIN)).toMatchObject({ status: 422, text })
  expect((await get('api/attempt?n=1&attempt=2')).status).toBe(410)
  expect((await get('api/capture?n=1')).status).toBe(200)
})

it('shows what the server that a request was forwarded to responded with', async () => {
  const forwardsTo = 'http://localhost:3000/stripe'
  const { inspector, target, load, read } = await inspecting({ secret: undefined }, { forwardsTo })
  const response = { headers: [['Retry-After', '5']], body: 'busy' }
  await inspector.received(arrived(BODY, { status: 503, response }), target)
  expect((await load(1)).attempt).toMatchObject({ dot: 'fail', status: 503, response })
  await read((messages) => JSON.stringify(messages).includes(forwardsTo))
})

it('compares with each of several secrets, by name', async () => {
  const { url } = await startReceiver()
  const secret = { now: SECRET, before: 'whsec_before', unset: undefined }
  const { attempt } = await (await inspecting({ url, secret })).send(SIGNED)
  expect(attempt.verdict).toEqual({ valid: true, secretName: 'now' })
  expect(attempt.signature.expected).toMatchObject([
    { secretName: 'now', equal: true },
    { secretName: 'before', equal: false },
  ])
})

it('stops reading a very long response', async () => {
  const url = await serve((req, res) => {
    req.resume()
    res.writeHead(500)
    const write = () => {
      while (!res.destroyed && res.write('x'.repeat(65_536)));
    }
    res.on('drain', write)
    write()
  })
  const { attempt } = await (await inspecting({ url })).send(SIGNED)
  expect([attempt.dot, attempt.response.body.length]).toEqual(['fail', 4096])
})

it('does not search for the cause in a body of more than 256 KiB', async () => {
  const { inspector, target, load } = await inspecting()
  const headers = [
    ['X-Webhook-Timestamp', String(Math.floor(Date.now() / 1000))],
    ['X-Webhook-Signature', `sha256=${'0'.repeat(64)}`],
  ]
  for (const length of [262_144, 262_145])
    await inspector.received(arrived('x'.repeat(length), { headers }), target)
  expect((await load(1)).attempt.findings).not.toBeNull()
  expect((await load(2)).attempt.findings).toBeNull()
})

it('shows 200 characters of an id and of an event', async () => {
  const { inspector, target, load } = await inspecting()
  const long = 'x'.repeat(201)
  const body = BODY.replace('d1', long).replaceAll('message.read', long)
  await inspector.received(arrived(body), target)
  const { id, event } = await load(1)
  expect([id, event]).toEqual([long.slice(1), long.slice(1)])
})

it('indents no JSON of more than 1 MiB, on which a pattern would throw', () => {
  expect(prettyJson('{"a":1.0}')).toBe('{\n  "a": 1.0\n}')
  expect(prettyJson(JSON.stringify('x'.repeat(10_000_000)))).toBeUndefined()
})

it('has room for 16 pages, and tells the next one', async () => {
  const { url } = await startInspector()
  const ends: AbortController[] = []
  // A response that nobody holds is closed when memory is collected.
  const held: Response[] = []
  const open = async () => {
    const end = new AbortController()
    const response = await fetch(`${url}api/events`, { signal: end.signal })
    ends.push(end)
    held.push(response)
    return response.status
  }
  for (let page = 0; page < 16; page++) expect(await open()).toBe(200)
  expect(await open()).toBe(503)
  for (const end of ends) end.abort()
  await expect.poll(open).toBe(200)
  ends.at(-1)?.abort()
})

it('forgets everything on request, and goes on counting', async () => {
  const { inspector, target, post, read } = await inspecting()
  await inspector.received(arrived(), target)
  expect((await post('clear', {})).status).toBe(200)
  await inspector.received(arrived(), target)
  const messages = await read((seen) => rowsOf(seen).length > 0)
  expect(rowsOf(messages)).toMatchObject([{ n: 2 }])
  // What somebody has cleared was not dropped.
  const counts = { first: 2, dropped: 0 }
  expect(messages.find(({ event }) => event === 'state')?.data).toMatchObject({ counts })
})

it('responds with 400 to what is no JSON object, and gives samples of events', async () => {
  const { get } = await startInspector()
  for (const body of ['{', '1', 'null'])
    expect((await get('api/send', { ...POSTED, body })).status).toBe(400)
  const event = 'message.read'
  const { text } = await get(`api/sample?event=${event}`)
  expect(JSON.parse(JSON.parse(text).text)).toMatchObject({ event, data: { event } })
  expect((await get('api/sample')).status).toBe(200)
})

it('has no target with a secret that no receiver could have', async () => {
  await expect(inspecting({ secret: ' padded ' })).rejects.toThrow(TypeError)
})

it('shows a body that was too large, without the request that the page sent itself', async () => {
  const { inspector, target, load, send, read } = await inspecting({}, { replies: true })
  const rejection = { status: 413, reason: 'body_too_large', detail: 'raise --limit' }
  await inspector.received(arrived('', { status: 413, rejection }), target)
  expect((await load(1)).attempt).toMatchObject({ dot: 'bad', verdict: rejection })
  const { headers, body } = (await send(SIGNED)).attempt
  for (const _ of [1, 2]) await inspector.received(arrived(body.text, { headers }), target)
  const rows = rowsOf(await read((seen) => rowsOf(seen).length >= 3))
  expect(rows.map(({ origin }) => origin)).toEqual(['received', 'page', 'received'])
})

it('finds words in headers and bodies, and responds as the page says', async () => {
  const { inspector, target, get, post } = await inspecting({}, { replies: true })
  for (const one of [
    arrived('{"deep":"Needle"}'),
    arrived(BODY, { headers: [['X-Trace', 'needle-2']] }),
    arrived(),
  ])
    await inspector.received(one, target)
  const found = async (text: string) =>
    JSON.parse((await get(`api/search?text=${encodeURIComponent(text)}`)).text).found
  expect(await found('NEEDLE')).toEqual([1, 2])
  expect(await found('needle-2 message.READ')).toEqual([2])
  expect(inspector.reply()).toEqual({})
  for (const [reply, chosen] of Object.entries({ 500: { status: 500 }, slow: { delay: 15_000 } })) {
    expect((await post('reply', { reply })).status).toBe(200)
    expect(inspector.reply()).toEqual(chosen)
  }
  expect((await post('reply', { reply: '200' })).status).toBe(422)
})
