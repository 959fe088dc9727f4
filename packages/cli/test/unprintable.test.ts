import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { signDelivery } from '@webhook-receiver/core/testing'
import { type Capture, writeCapture } from '@webhook-receiver/quarantine/internal'
import { describe, expect, it } from 'vitest'
import { printable } from '../src/console/printable.ts'
import { spawnCli } from './command-line.ts'
import { folder } from './folder.ts'
import { invoke, listening, SECRET } from './invoke.ts'
import { OPENSSL, respondingWith, serving, servingSecurely } from './receiver.ts'

/** First and last code points of what no terminal should be given from outside. */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff0, 0xfffb],
  [0xe0000, 0xe01ef],
]

/** One of each kind, in the shape in which it does something. */
const STEERING =
  'a\u001b[2J\u001b]0;title\u0007\b\r\u007f\u0085\u009b2J\u00ad\u061c\u200b\u200d\u200e\u202eb\u2066\u2028\u2029\ufeff\u{e0041}z'
const SHOWN = 'a\\u001b[2J'

function steering(text: string): readonly string[] {
  return [...text].filter((character) => {
    const code = character.codePointAt(0) ?? 0
    return character !== '\n' && RANGES.some(([first, last]) => first <= code && code <= last)
  })
}

it('escapes every character that a terminal interprets or does not show', () => {
  for (const [first, last] of RANGES) {
    for (let code = first; code <= last; code++) {
      const shown = printable(`a${String.fromCodePoint(code)}b`)
      expect(shown).toMatch(/^a(?:\\u[\da-f]{4}){1,2}b$/)
      expect(JSON.parse(`"${shown}"`)).toBe(`a${String.fromCodePoint(code)}b`)
    }
  }
})

it('leaves text and emoji as they are', () => {
  const text = ' ~ Grüße, 你好, नमस्ते, مرحبا 👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️ 1️⃣ \\u001b'
  expect(printable(text)).toBe(text)
})

it.each([
  ['a joiner between letters', 'a\u200db', 'a\\u200db'],
  ['a joiner at an end', '👋\u200d', '👋\\u200d'],
  ['a selector too many', '❤\ufe0f\ufe0f', '❤\ufe0f\\ufe0f'],
  ['half of a pair', '\ud83d', '\\ud83d'],
  ['a character of two halves', '\u{e0041}', '\\udb40\\udc41'],
])('escapes %s', (_, text, shown) => {
  expect(printable(text)).toBe(shown)
})

type Env = Readonly<Record<string, string>>

/** Runs the CLI and sees that what was planted is shown, and that nothing of it steers the terminal. */
async function shown(args: readonly string[]) {
  return checked(await invoke(args, { reveals: true }))
}

/** The same in a separate process, with all that Node prints. */
async function shownByProcess(args: readonly string[], env: Env) {
  const { stdout, stderr } = await spawnCli(args, { WEBHOOK_SECRET: SECRET, ...env }).ended
  return checked({ out: stdout, err: stderr })
}

function checked({ out, err }: { readonly out: string; readonly err: string }) {
  expect(steering(out + err)).toEqual([])
  expect(out + err).not.toMatch(/^FAKE/m)
  expect(out + err).not.toContain('a bug in webhook-receiver')
  return { out, err, all: out + err }
}

/** A server that responds with these bytes, whatever is asked. */
async function responding(response: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.from(response, 'latin1')))
  })
  return `${await serving(server)}/`
}

/** A valid delivery with the characters in each of its members. */
async function plantedDelivery(secret: string, now: number) {
  const event = `${STEERING}\nFAKE`
  const inner = { instance_id: STEERING, event, timestamp: 'x', data: { [STEERING]: STEERING } }
  const delivery = { id: STEERING, event, created_at: 'x', data: inner }
  const { headers, body } = await signDelivery(secret, delivery, { now: () => now })
  const { 'X-Webhook-Id': _, ...signed } = headers
  return { headers: signed, body }
}

const HEAD = { receivedAt: 0, method: 'POST', target: '/', httpVersion: '1.1' }

function captureText(more: Partial<Capture> = {}): string {
  return writeCapture({ ...HEAD, headers: [], body: Buffer.of(), ...more })
}

/** Captures whose names and contents are planted, in a folder with such a name. */
async function plantedCaptures(): Promise<string> {
  const directory = join(await folder(), STEERING)
  await mkdir(directory)
  const { headers, body } = await plantedDelivery(SECRET, 0)
  const files = {
    [`1${STEERING}\nFAKE.json`]: captureText(),
    [`2${STEERING}\nFAKE.json`]: 'no capture',
    '3.json': captureText({ headers: [['X-A', '\u009b2J\u0001']] }),
    '4.json': captureText({ headers: [['X-Webhook-Signature', '\u009b2J']] }),
    '5.json': captureText({ headers: Object.entries(headers), body }),
    '6.json': captureText({ headers: [['Trailer', 'X']] }),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  return directory
}

describe('what comes from outside does not steer the terminal:', () => {
  it.each(['verify', 'verify --json', 'replay'])('captures, to %s', async (command) => {
    const to = command === 'replay' ? [await respondingWith(200)] : []
    const { all } = await shown([...command.split(' '), await plantedCaptures(), ...to])
    expect(all).toContain(`/1${SHOWN}`)
    expect(all).toContain(`/2${SHOWN}`)
  })

  it('a file of headers, its name and that of a body', async () => {
    const directory = await folder()
    const path = join(directory, STEERING)
    await writeFile(path, 'X-Webhook-Timestamp: \u001b[2J')
    const { out } = await shown(['verify', '--headers', path, '--body', path])
    expect(out).toContain(SHOWN)
  })

  it('deliveries, to listen', async () => {
    const save = join(await folder(), STEERING)
    const name = `A${STEERING}`
    const args = ['--count', '3', '--save', save, '--secret-env', `${name},B`]
    const listen = await listening(args, { [name]: SECRET, B: 'whsec_b' })
    for (const secret of [SECRET, 'whsec_other']) {
      await fetch(listen.url, { method: 'POST', ...(await plantedDelivery(secret, Date.now())) })
    }
    const headers = { 'X-Webhook-Timestamp': '\u009b2J', 'X-Webhook-Signature': '\u009b2J\u00ad' }
    await fetch(listen.url, { method: 'POST', headers })
    const { out } = checked(await listen.ended)
    expect(out).toContain(SHOWN)
    expect(out).toMatch(/saved as .*a.u001b/)
  })

  it('an event, an instance, content and a response, to send', async () => {
    const body = Buffer.from(STEERING).toString('latin1')
    const response = `HTTP/1.1 401 a\u009b2J\r\nX-A: \u009b2J\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const url = await responding(response)
    const data = JSON.stringify({ [STEERING]: STEERING })
    const args = ['send', `${STEERING}\nFAKE`, `${url}${STEERING}`, '--data', data]
    const { out, err } = await shown(args)
    expect(err).toContain(SHOWN)
    expect(out).toContain(SHOWN)
  })

  it('a response of the service, and the file for the secret, to register', async () => {
    const record = JSON.stringify({ secret: `whsec_${STEERING}`, [STEERING]: STEERING })
    const service = (status: number, body: string) =>
      serving((req, res) => {
        req
          .resume()
          .on('end', () => res.writeHead(status, { 'X-Request-Id': 'a\u009bb' }).end(body))
      })
    const args = (url: string) => [
      ...['register', '--base-url', url, '--url', 'https://example.com/', '--events', 'all'],
      ...['--show-secret', '--write-secret', join(directory, STEERING)],
    ]
    const directory = await folder()
    const created = await shown(args(await service(201, record)))
    expect(created.out).toContain(`The secret is in ${directory}/${SHOWN}`)
    expect(created.out).toContain(`The secret: whsec_${SHOWN}`)
    const taken = await shown(args(await service(201, record)))
    expect(taken.err).toContain(SHOWN)
    const rejecting = args(await service(422, `${STEERING}\nFAKE`)).slice(0, -2)
    expect((await shown(rejecting)).err).toMatch(/The service said:\s+a\\u001b\[2J/)
  })

  it('the file for the secret, to emulate', async () => {
    const path = join(await folder(), STEERING)
    const url = await respondingWith(200)
    const more = ['--count', '1', '--rate', '50']
    const args = ['emulate', '--forward', url, '--write-secret', path, ...more]
    expect((await shown(args)).err).toContain(`$(cat '`)
    expect((await shown(args)).err).toContain(`/${SHOWN}`)
  })

  it.each([
    ['standard error', 'cat planted >&2; false {id}'],
    ['standard output', 'cat planted; true {id}'],
  ])('the %s of an observing command, to doctor', async (_, observe) => {
    const path = join(await folder(), 'planted')
    await writeFile(path, STEERING)
    const command = observe.replace('planted', path)
    const { err } = await shown(['doctor', 'http://127.0.0.1:9/', '--observe', command])
    expect(err).toContain(SHOWN)
  })

  it('a response of an observing URL, to doctor', async () => {
    const url = await serving((_, res) => void res.end(STEERING))
    const { err } = await shown(['doctor', 'http://127.0.0.1:9/', '--observe', url])
    expect(err).toContain(SHOWN)
    const cut = await responding('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1')
    const { err: half } = await shown(['doctor', 'http://127.0.0.1:9/', '--observe', cut])
    expect(half).toMatch(/--observe: 127\.0\.0\.1:\d+ did not respond/)
  })

  it.skipIf(!OPENSSL)('the name in the certificate of a receiver, to doctor and send', async () => {
    const subject = '/CN=a\u001b[2J'
    const { url, cert } = await servingSecurely(subject, (_, res) => void res.end())
    const env = { NODE_EXTRA_CA_CERTS: cert }
    expect((await shownByProcess(['doctor', url], env)).err).toMatch(/CN:\s+a\\u001b\[2J/)
    const send = ['send', 'message.read', url]
    expect((await shownByProcess(send, env)).out).toMatch(/CN:\s+a\\u001b\[2J/)
  })

  it('the name of a secret that looks wrong, in a warning', async () => {
    const captures = join(await folder(), 'one.json')
    await writeFile(captures, captureText())
    const name = `A${STEERING}`
    const args = ['verify', captures, '--secret-env', `${name},WEBHOOK_SECRET`]
    const { err } = await shownByProcess(args, { [name]: 'not-prefixed' })
    expect(err).toContain(`"A${SHOWN}`)
    expect((await shownByProcess(args, { [name]: '"quoted"' })).err).toContain(`"A${SHOWN}`)
  })

  it.each([
    '--PLANTED',
    'send message.read http://127.0.0.1:9/ --tamper PLANTED',
    'send message.read http://127.0.0.1:9/ --secret-env PLANTED',
    'listen --port 0 --host PLANTED',
    'listen --save /dev/null/PLANTED',
    'verify PLANTED',
    'doctor PLANTED',
  ])('an argument, as in %s', async (line) => {
    const args = line.split(' ').map((word) => word.replace('PLANTED', STEERING))
    const { code, out, err } = await invoke(args)
    expect(code).toBeGreaterThan(0)
    expect(steering(out + err)).toEqual([])
    expect(err).not.toContain('a bug in webhook-receiver')
    expect(err).toMatch(/a\\+u001b\[2J/)
  })
})
