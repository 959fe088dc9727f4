import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { seededBelow } from '@webhook-receiver/checks/seeded.mjs'
import type { Capture } from '@webhook-receiver/quarantine/internal'
import { expect, it } from 'vitest'
import { listCaptures, openCapture } from '../src/captures/files.ts'
import { folder } from './folder.ts'
import { invoke, listening, words } from './invoke.ts'
import { type Arrived, recording } from './receiver.ts'
import { saved } from './recorded.ts'

function pairs(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))
}

const OF_A_CONNECTION =
  /^(?:connection|content-length|expect|host|http2-settings|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

async function readCaptures(path: string) {
  const files = await listCaptures([path], new AbortController().signal)
  return Promise.all(files.map((file) => openCapture(file.path)))
}

/** What a replay may not change. */
function kept({ method, headers, body }: Pick<Capture, 'method' | 'headers' | 'body'>) {
  const lasting = headers.filter(([name]) => !OF_A_CONNECTION.test(name))
  return { method, headers: lasting, body: Buffer.from(body).toString('latin1') }
}

function arrivedAs({ method = '', rawHeaders, body }: Arrived) {
  return kept({ method, headers: pairs(rawHeaders), body })
}

/** Writes requests that somebody could send, and many that nobody should. */
function generator(seed: number) {
  const below = seededBelow(seed)
  const one = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)]
  const characters = (length: number, of: () => number) =>
    String.fromCharCode(...Array.from({ length }, of))
  // Mostly what may stand in a header; now and then a control character.
  const value = () =>
    characters(below(12), () => (below(200) === 0 ? below(32) : 0x20 + below(0xe0)))
  const name = () =>
    one([
      ...['Trailer', 'trailer', 'TE', 'Expect', 'Upgrade', 'Connection', 'Keep-Alive', 'Host'],
      ...['Proxy-Connection', 'Proxy-Authorization', 'HTTP2-Settings', 'Date', 'Cookie', 'Age'],
      ...['X-Webhook-Signature', 'x-a', "!#$%&'*+-.^_`|~", 'Content-Type', '__proto__', '0'],
    ])
  const special = () =>
    one([
      ...['Expect: 100-continue', 'Trailer: X-A', 'TE: trailers', 'Connection: Upgrade'],
      ...['Upgrade: websocket', 'Connection: close, X-A', 'X-Empty:', 'Keep-Alive: timeout=5'],
    ])
  return () => {
    const body = characters(below(20), () => below(256))
    const lines = Array.from({ length: below(6) }, () =>
      below(3) === 0 ? special() : `${name()}: ${value()}`,
    )
    const chunks = body === '' ? '' : `${body.length.toString(16)};x=y\r\n${body}\r\n`
    const [framing, content] = one([
      [[`Content-Length: ${body.length}`], body],
      [[`content-length: 0${body.length}`], body],
      [['Transfer-Encoding: chunked'], `${chunks}0\r\nX-A: b\r\n\r\n`],
      [['transfer-encoding: gzip, Chunked'], `${chunks}0\r\n\r\n`],
      [[], ''],
    ] as const) ?? [[], '']
    const target = one(['/', '/a?b=%00', '*', '//a', 'http://elsewhere/x', 'a+b://c', '/{"a"}^|'])
    const head = `${one(METHODS)} ${target} HTTP/${one(['1.1', '1.1', '1.0', '2.0'])}`
    const all = ['Host: x', ...lines, ...framing, 'Connection: close']
    return Buffer.from(`${head}\r\n${all.join('\r\n')}\r\n\r\n${content}`, 'latin1')
  }
}

/** Resolves when there is a response, by which the request is kept, or when the server closes. */
function sendRaw(url: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname, () => void socket.write(bytes))
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.on('data', (chunk) => {
      if (/HTTP\/1\.1 [2-5]/.test(chunk.toString('latin1'))) socket.destroy()
    })
  })
}

it('replays every request that `listen --save` keeps, unchanged but for its connection', async () => {
  const captures = join(await folder(), 'captures')
  const keeping = await listening(words`--save ${captures} --no-verify --json`)
  const next = generator(20_260_131)
  for (let count = 0; count < 400; count++) await sendRaw(keeping.url, next())
  keeping.interrupt()
  await keeping.ended

  const kepts = await readCaptures(captures)
  // A part of them is not HTTP, and never arrives.
  expect(kepts.length).toBeGreaterThan(150)
  const receiver = await recording()
  const { code, json, err } = await invoke(['replay', captures, receiver.url, '--json'])
  expect(json.map(({ capture }) => capture)).toEqual(kepts.map(({ path }) => path))
  expect(json.filter(({ status }) => status !== 204)).toEqual([])
  expect(receiver.arrived.map(arrivedAs)).toEqual(kepts.map(kept))
  expect(err).toContain(`${kepts.length} sent, ${kepts.length} accepted.`)
  expect(code).toBe(0)
})

it('sends no header of the connection that a request came on', async () => {
  const headers = [
    ['Host', 'elsewhere.example'],
    ['Expect', '100-continue'],
    ['X-A', '1'],
    ['Trailer', 'X-A'],
    ['tE', 'trailers'],
    ['Upgrade', 'h2c'],
    ['Connection', 'Upgrade'],
    ['Keep-Alive', 'timeout=5'],
    ['Proxy-Authorization', 'Basic eDp5'],
    ['Transfer-Encoding', 'gzip, chunked'],
  ] as const
  const head = { receivedAt: 1000, method: 'POST', target: '/', httpVersion: '1.1' }
  const { url, arrived } = await recording()
  const file = await saved({ ...head, headers, body: Buffer.of() })
  expect((await invoke(['replay', file, url])).code).toBe(0)
  expect(arrived.map(({ rawHeaders }) => pairs(rawHeaders))).toEqual([
    [
      ['Host', new URL(url).host],
      ['X-A', '1'],
      ['Content-Length', '0'],
      ['Connection', 'close'],
    ],
  ])
})
