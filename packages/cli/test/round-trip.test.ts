import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { type Capture, writeCapture } from '@webhook-receiver/quarantine/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCaptures } from './captures.ts'
import { folder } from './folder.ts'
import { invoke, SECRET, start } from './invoke.ts'
import { receiver, serving } from './receiver.ts'

const captures = mkdtempSync(join(tmpdir(), 'cli-round-trip-'))
afterAll(() => rmSync(captures, { recursive: true, force: true }))
const later = () => Date.now() + 3_600_000

/** What the emulator sent to `listen --save`. */
beforeAll(async () => {
  const listener = start([
    'listen',
    '--port',
    '0',
    '--save',
    captures,
    '--count',
    '7',
    '--no-verify',
  ])
  const [, url = ''] = await listener.until(/Listening on +(\S+)\s/)
  const file = join(captures, 'secret')
  const emulating = start(
    ['emulate', '--forward', url, '--rounds', '1', '--rate', '200', '--secret-file', file],
    {},
  )
  await emulating.ended
  await listener.ended
})

/** The emulator signs with a secret of its own: the same captures, signed with that of the tests. */
async function valid(): Promise<string> {
  const directory = await folder()
  for (const [index, capture] of (await readCaptures([captures])).entries()) {
    const { headers } = await signDelivery(SECRET, capture.body, {
      now: () => capture.receivedAt,
    })
    await writeFile(
      join(directory, `${index}.json`),
      writeCapture({ ...capture, headers: Object.entries(headers) }),
    )
  }
  return directory
}

describe('verify', () => {
  it('says of each capture that it was valid when it arrived', async () => {
    const args = ['verify', captures, '--secret-file', join(captures, 'secret')]
    const { code, out } = await invoke(args, { now: later })
    expect(code).toBe(0)
    expect(out.match(/^valid {2}/gm)).toHaveLength(7)
  })

  it('says that they are too old by now', async () => {
    const args = ['verify', await valid(), '--at', 'now', '--json']
    const { code, json } = await invoke(args, { now: later })
    expect(code).toBe(1)
    expect(json).toHaveLength(7)
    for (const verdict of json) {
      expect(verdict).toMatchObject({ valid: false, status: 401, reason: 'timestamp_too_old' })
    }
  })

  it('checks the age at a given time', async () => {
    const directory = await valid()
    const at = (time: string) => invoke(['verify', directory, '--at', time])
    expect((await at(new Date().toISOString())).code).toBe(0)
    expect((await at('2020-01-01T00:00:00+01:00')).code).toBe(1)
    expect((await at('2020-01-01')).code).toBe(2)
    expect(
      (await invoke(['verify', directory, '--at', 'now', '--tolerance', '0'], { now: later })).code,
    ).toBe(1)
  })

  it('names the cause of another secret', async () => {
    const { code, out } = await invoke(['verify', captures])
    expect(code).toBe(1)
    expect(out).toContain('signature_mismatch')
    expect(out).toContain('Fix: ')
  })

  it('finds the API key in the place of the secret', async () => {
    const directory = await valid()
    const env = { WEBHOOK_SECRET: 'whsec_other', WEBHOOK_API_KEY: SECRET }
    const { code, json } = await invoke(['verify', directory, '--json'], { env })
    expect(code).toBe(1)
    expect(json[0]?.diagnosis).toMatchObject([{ code: 'secret_api_key', certainty: 'certain' }])
  })
})

describe('verify --headers --body', () => {
  async function files(head: (headers: Readonly<Record<string, string>>) => string, body?: Buffer) {
    const directory = await folder()
    const signed = await signDelivery(SECRET, sampleDelivery('message.received'))
    const paths = { headers: join(directory, 'headers'), body: join(directory, 'body') }
    await writeFile(paths.headers, head(signed.headers))
    await writeFile(paths.body, body ?? signed.body)
    return ['verify', '--headers', paths.headers, '--body', paths.body]
  }
  const lines = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')

  it.each([
    ['lines', lines],
    ['a request line and lines', (headers) => `POST /webhooks HTTP/1.1\n${lines(headers)}\n`],
    ['lines as curl -v shows them', (headers) => lines(headers).replaceAll(/^(?=.)/gm, '> ')],
    ['a JSON object', JSON.stringify],
    [
      'a JSON object of lists',
      (headers) =>
        JSON.stringify(
          Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
        ),
    ],
    ['a JSON list of pairs', (headers) => JSON.stringify(Object.entries(headers))],
  ] satisfies [string, (headers: Readonly<Record<string, string>>) => string][])(
    'reads %s',
    async (_, head) => {
      const { code, out } = await invoke(await files(head))
      expect(code).toBe(0)
      expect(out).toContain('The age of the timestamp was not checked')
      expect((await invoke([...(await files(head)), '--at', 'now', '--json'])).json).toMatchObject([
        { valid: true, delivery: { event: 'message.received' } },
      ])
    },
  )

  it('names what happened to the body', async () => {
    const pretty = Buffer.from(JSON.stringify({ a: 1 }, null, 2))
    const signed = await signDelivery(SECRET, Buffer.from('{"a":1}'))
    const { code, out } = await invoke(await files(() => lines(signed.headers), pretty))
    expect(code).toBe(1)
    expect(out).toContain('body_reserialized (certain)')
  })

  it.each([
    ['', /contains no header/],
    ['no colon', /line 1 is not "Name: value"/],
    ['POST / HTTP/1.1\nA: b\n???', /line 2 is not "Name: value"/],
    ['{', /starts like JSON/],
    ['["a","b"]', /not a list of \[name, value\]/],
    ['{"a":1}', /value of "a" is not a string/],
  ])('rejects the headers %j: 2', async (text, message) => {
    const { code, err } = await invoke(await files(() => text))
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it.each([
    [['--headers', 'x'], /must be used together/],
    [['--headers', '/nowhere', '--body', '/nowhere'], /cannot be read/],
    [['--headers', 'x', '--body', 'y', 'capture.json'], /Name one or more/],
  ])('rejects %j: 2', async (args, message) => {
    const { code, err } = await invoke(['verify', ...args])
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })
})

describe('replay', () => {
  it('sends the same bytes that were received', async () => {
    const copies = await folder()
    const listener = start([
      'listen',
      '--port',
      '0',
      '--save',
      copies,
      '--count',
      '7',
      '--no-verify',
    ])
    const [, url = ''] = await listener.until(/Listening on +(\S+)\s/)
    expect((await invoke(['replay', captures, url])).code).toBe(0)
    await listener.ended
    const [before, after] = [await readCaptures([captures]), await readCaptures([copies])]
    expect(after).toHaveLength(7)
    const kept = ({ method, headers, body }: Capture) => ({
      method,
      headers: headers.filter(([name]) => name !== 'Host' && name !== 'Connection'),
      body: Buffer.from(body).toString('hex'),
    })
    expect(after.map(kept)).toEqual(before.map(kept))
  })

  it('is accepted as it was while it is fresh', async () => {
    const { url, deliveries } = await receiver()
    const { code, err, out } = await invoke(['replay', await valid(), url])
    expect(code).toBe(0)
    expect(err).toContain('7 sent, 7 accepted.')
    expect(out.match(/^204 {2}/gm)).toHaveLength(7)
    expect(deliveries[0]?.event).toBe('instance.connected')
  })

  it('is rejected when it is old, with the advice to sign again', async () => {
    const { url } = await receiver()
    const directory = await folder()
    for (const capture of (await readCaptures([await valid()])).slice(0, 1)) {
      const receivedAt = capture.receivedAt - 3_600_000
      const { headers } = await signDelivery(SECRET, capture.body, { now: () => receivedAt })
      const old = { ...capture, receivedAt, headers: Object.entries(headers) }
      await writeFile(join(directory, 'old.json'), writeCapture(old))
    }
    const stale = await invoke(['replay', directory, url])
    expect(stale.code).toBe(1)
    expect(stale.err).toContain('Add --resign')
    expect((await invoke(['replay', directory, url, '--resign'])).code).toBe(0)
  })

  it.each([
    ['1000000000000', /^\d{13}$/],
    ['2020-01-01T00:00:00Z', /^\d{4}-.*Z$/],
    ['Wed, 01 Jan 2020 00:00:00 GMT', / GMT$/],
    ['1577836800', /^\d{10}$/],
  ])('signs again in the form of %s', async (timestamp, form) => {
    const seen: unknown[] = []
    const url = await serving((req, res) => {
      seen.push(req.headers['x-webhook-timestamp'])
      req.resume().on('end', () => res.end())
    })
    const file = join(await folder(), 'one.json')
    const { headers, body } = await signDelivery(SECRET, 'message.read', { timestamp })
    const head = { receivedAt: 0, method: 'POST', target: '/', httpVersion: '1.1' }
    await writeFile(file, writeCapture({ ...head, headers: Object.entries(headers), body }))
    expect((await invoke(['replay', file, url, '--resign'])).code).toBe(0)
    expect(seen).toEqual([expect.stringMatching(form)])
  })

  it('signs what had no signature, leaves out a second one, and keeps chunks', async () => {
    const { url, deliveries } = await receiver()
    const directory = await folder()
    const body = Buffer.from(JSON.stringify(sampleDelivery('message.sent')))
    const head = { receivedAt: 0, method: 'POST', target: '/', httpVersion: '1.1', body }
    const none = writeCapture({ ...head, headers: [['Transfer-Encoding', 'chunked']] })
    const twice = [
      ['X-Webhook-Signature', 'a'],
      ['Content-Length', '1'],
      ['Expect', '100-continue'],
      ['x-webhook-signature', 'b'],
    ] as const
    await writeFile(join(directory, '1.json'), none)
    await writeFile(join(directory, '2.json'), writeCapture({ ...head, headers: twice }))
    expect((await invoke(['replay', directory, url, '--resign'])).code).toBe(0)
    expect(deliveries).toHaveLength(2)
  })

  it.each([
    [['--pace', 'original'], 200, 200],
    // With their original pace these would take an hour.
    [['--pace', '20'], 3_600_000, 50],
    [['--pace', 'none'], 3_600_000, 0],
  ])(
    '%j with captures that arrived %i ms apart takes %i ms or more',
    async (args, apart, least) => {
      let arrivals = 0
      const url = await serving((req, res) => {
        arrivals += 1
        req.resume().on('end', () => res.end())
      })
      const directory = await folder()
      for (const receivedAt of [1000, 1000 + apart]) {
        const head = {
          method: 'POST',
          target: '/',
          httpVersion: '1.1',
          headers: [],
          body: Buffer.of(),
        }
        await writeFile(
          join(directory, `${receivedAt}.json`),
          writeCapture({ ...head, receivedAt }),
        )
      }
      const started = performance.now()
      expect((await invoke(['replay', directory, url, ...args, '--json'])).code).toBe(0)
      expect(performance.now() - started).toBeGreaterThanOrEqual(least)
      expect(arrivals).toBe(2)
    },
  )

  it('tells of a long pause, and ends with 130 after Ctrl-C', async () => {
    const url = await serving((req, res) => void req.resume().on('end', () => res.end()))
    const directory = await folder()
    for (const receivedAt of [0, 3_600_000]) {
      const head = {
        method: 'POST',
        target: '/',
        httpVersion: '1.1',
        headers: [],
        body: Buffer.of(),
      }
      await writeFile(join(directory, `${receivedAt}.json`), writeCapture({ ...head, receivedAt }))
    }
    const replaying = start(['replay', directory, url, '--pace', 'original'])
    await replaying.until(/The next request follows in 3600 s/)
    replaying.interrupt()
    expect(await replaying.ended).toMatchObject({
      code: 130,
      err: expect.stringContaining('1 of 2'),
    })
  })

  it('says that nobody listens: 1', async () => {
    const [name = ''] = (await readdir(captures)).filter((name) => name.endsWith('.json'))
    const file = join(captures, name)
    const args = ['replay', file, 'http://127.0.0.1:9/']
    expect(await invoke(args)).toMatchObject({
      code: 1,
      out: expect.stringContaining('no response'),
    })
    expect((await invoke([...args, '--json'])).json).toMatchObject([{ status: null }])
  })

  it('says what is not a capture file: 1', async () => {
    const file = join(await folder(), 'x.json')
    await writeFile(file, '{}')
    const { code, err } = await invoke(['replay', file, 'http://127.0.0.1:9/'])
    expect(code).toBe(1)
    expect(err).toContain(`${file} is not a capture file`)
  })
})
