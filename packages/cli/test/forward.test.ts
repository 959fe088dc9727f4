import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { invoke, listening, words } from './invoke.ts'
import { type Arrived, recording } from './receiver.ts'

const SIGNING = 'whsec_for-stripe-3d41'

function forwarding(to: string, ...args: readonly string[]) {
  const options = words`--scheme stripe --forward ${to} ${args}`
  return listening(options, { WEBHOOK_SECRET: SIGNING })
}

/** As Stripe signs, with headers in their spelling. */
function signed(body: Buffer, secret = SIGNING) {
  const time = Math.floor(Date.now() / 1000)
  const mac = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
  return ['Stripe-Signature', `t=${time},v1=${mac}`]
}

function send(url: string, headers: readonly string[], body: Buffer, method = 'POST') {
  return new Promise<IncomingMessage & { content: Buffer }>((resolve, reject) => {
    const own = ['Host', 'tunnel.example', ...headers, 'Content-Length', `${body.length}`]
    const sent = request(url, { method, headers: own, agent: false }, async (response) =>
      resolve(Object.assign(response, { content: await buffer(response) })),
    )
    sent.on('error', reject).end(body)
  })
}

/** Without what belongs to a connection, and the host, which is that of the server. */
function endToEnd(raw: readonly string[]) {
  return raw.filter((_, at) => !/^(?:connection|keep-alive|host)$/i.test(raw[at - (at % 2)] ?? ''))
}

it('passes requests and responses on byte for byte, and shows both verdicts', async () => {
  const contents: Buffer[] = []
  const { url, arrived } = await recording((res, count) => {
    const content = randomBytes(count % 50 === 0 ? 200_000 : count % 90)
    contents.push(content)
    const headers = ['X-Order', `${count}`, 'Set-Cookie', 'a=1', 'set-cookie', 'b=2']
    res.writeHead([200, 204, 202, 400, 500][count % 5] ?? 200, headers)
    res.end(count % 5 === 1 ? undefined : content)
  })
  const count = 300
  const listener = await forwarding(`${url}/stripe?key=1`, '--count', `${count}`, '--json')
  for (let at = 1; at <= count; at++) {
    const content = { id: `evt_${at}`, type: 'a.b', x: '\u2028é'.repeat(at) }
    const text = JSON.stringify(content, null, at % 3)
    const body = at % 7 === 0 ? randomBytes(at * 9) : Buffer.from(text)
    const more = ['x-Two', '1', 'X-Latin', 'caf\u00e9', 'X-TWO', '2', 'Accept', '*/*; q=0.5, a/b']
    const headers = [...more, ...signed(body, at % 10 === 0 ? 'whsec_other' : SIGNING)]
    const response = await send(listener.url, headers, body)
    const { rawHeaders, ...got } = arrived[at - 1] as Arrived
    expect(got).toEqual({ method: 'POST', url: '/stripe?key=1', body })
    expect(endToEnd(rawHeaders)).toEqual([...headers, 'Content-Length', `${body.length}`])
    expect(response.statusCode).toBe([200, 204, 202, 400, 500][at % 5])
    expect(response.headers).toMatchObject({ 'x-order': `${at}`, 'set-cookie': ['a=1', 'b=2'] })
    if (at % 5 !== 1) expect(response.content.equals(contents[at - 1] ?? Buffer.of())).toBe(true)
  }
  const { code, json } = await listener.ended
  expect([code, json.length]).toEqual([1, count])
  expect(json[0]).toMatchObject({ valid: true, status: 204, forwarded: { status: 204 } })
  expect(json[9]).toMatchObject({ valid: false, forwarded: { status: 200 } })
})

it('asks no other place: neither that of a redirect, nor that of the request line', async () => {
  const other = await recording((res) => void res.end())
  const { url, arrived } = await recording((res) => {
    res.writeHead(307, { Location: other.url }).end()
  })
  const listener = await forwarding(`${url}/stripe`, '--count', '2')
  const body = Buffer.from('{"id":"evt_1","type":"a"}')
  const response = await send(listener.url, signed(body), body)
  expect([response.statusCode, response.headers.location]).toEqual([307, other.url])
  const { hostname, port } = new URL(listener.url)
  const path = `${other.url}/elsewhere`
  await new Promise<void>((resolve) => {
    request({ hostname, port, path, method: 'POST' }, () => resolve()).end(body)
  })
  expect(arrived.map(({ url: target }) => target)).toEqual(['/stripe', '/stripe'])
  expect(other.arrived).toEqual([])
  const { out } = await listener.ended
  expect(out).toContain('Redirects are not followed')
})

it('keeps the path of each request for a service that signs the URL, and takes an origin only', async () => {
  const { url, arrived } = await recording()
  const env = { WEBHOOK_SECRET: 'a-token' }
  const twilio = words`--scheme twilio --public-url https://example.com --count 1`
  const args = [...twilio, '--forward']
  expect((await invoke(words`listen ${args} ${url}/sms`, { env })).code).toBe(2)
  const listener = await listening([...args, url], env)
  await send(`${listener.url}/sms?a=%20b`, ['X-Twilio-Signature', 'x'], Buffer.from('Body=x'))
  await listener.ended
  expect(arrived.map(({ url: target }) => target)).toEqual(['/sms?a=%20b'])
})

it('passes on what a check of the endpoint gets, also by GET', async () => {
  const page = await readFile(new URL(import.meta.url))
  const { url, arrived } = await recording((res) => void res.end(page))
  const listener = await forwarding(url, '--no-verify', '--count', '1')
  const response = await send(listener.url, ['Accept', '*/*'], Buffer.of(), 'GET')
  expect(response.content.equals(page)).toBe(true)
  expect(arrived[0]?.method).toBe('GET')
  expect((await listener.ended).out).toMatch(/✓ 200 {2}GET \/ .*\(not verified\)/)
})

it.each([
  ['above the requests', [], 'out'],
  ['on standard error with --json', ['--json'], 'err'],
] as const)('says after 5 s that a server does not respond: %s', async (_, flags, stream) => {
  onTestFinished(() => void vi.useRealTimers())
  const { url } = await recording((res) => {
    vi.advanceTimersByTime(5000)
    res.end()
  })
  const listener = await forwarding(url, '--no-verify', '--count', '1', ...flags)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await send(listener.url, [], Buffer.of())
  vi.useRealTimers()
  const { written } = await listener.ended
  const lines = written.filter(([, text]) => text.includes('has not responded'))
  expect(lines).toEqual([
    [
      stream,
      expect.stringMatching(/Your server has not responded to POST \/ for 5 s\. It has 60 s\./),
    ],
  ])
})
