import { Connection, deliveryRequest, hardTimeout } from '@webhook-receiver/conformance/internal'
import type { ReceiverOptions } from '@webhook-receiver/core'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { asana, defineScheme } from '@webhook-receiver/schemes'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  bodyHeaders,
  challengeHeaders,
  ORIGIN,
  type Post,
  posting,
  postTo,
  SECRET,
  type StartPosting,
  type StartReceiver,
  TIME,
} from './posting.ts'
import { bodyScheme, challengeScheme } from './schemes/schemes.ts'

type Option = keyof ReceiverOptions

/** Shows that an option reaches the receiver: without it, something else would happen. */
type Case = (adapter: Adapter) => Promise<void>

interface Adapter {
  /** What the application does with a delivery. */
  readonly work: ReturnType<typeof vi.fn<Parameters<StartPosting>[0]>>
  readonly query: string
  /** Starts a receiver with these options. */
  start(options: object): Promise<Receiver>
}

interface Receiver {
  readonly port: number
  readonly post: Post
  /** Sends a delivery of the default format, and resolves to the status. */
  send(sent?: Sent): Promise<number>
}

interface Sent {
  readonly event?: string
  /** When it is signed, in seconds. */
  readonly at?: number
  readonly secret?: string
  /** The body, instead of a sample of the event. */
  readonly text?: string
  /** Whether the length is not announced. */
  readonly chunked?: boolean
}

interface OptionSuiteOptions {
  /**
   * What a signed URL has behind its path: what is in front of some receivers decodes it.
   * @default 'a=1&b=%20%2f'
   */
  readonly query?: string | undefined
  /**
   * Whether bodies come whole, so that nothing is said of reading them.
   * @default false
   */
  readonly whole?: boolean
}

/** Tests that each option of a receiver gets through an adapter, on real sockets. Call it at the top level of a test file. */
export function describeOptions(
  name: string,
  form: 'handler' | 'middleware',
  start: StartReceiver,
  { query = 'a=1&b=%20%2f', whole = false }: OptionSuiteOptions = {},
): void {
  describe(`${name}, ${form}, the option`, () => {
    const { begin: startWith } = posting(start)
    const cases = Object.entries(CASES).filter(([option]) => !whole || !OF_READING.has(option))
    test.each(cases)('`%s` reaches the receiver', async (_option, run) => {
      const work = vi.fn<Parameters<StartPosting>[0]>()
      await run({
        work,
        query,
        async start(options) {
          const port = await startWith(work, options)
          const post = postTo(port)
          return { port, post, send: (sent) => send(post, sent) }
        },
      })
    })
  })
}

const checking = defineScheme({
  name: 'checking',
  checked: '2026-11-27',
  signature: { header: 'x-signature', encoding: 'hex' },
  keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
  signed: ['body'],
  getCheck: { name: 'challenge', token: 'token', echo: 'challenge' },
  headCheck: true,
  originCheck: 'events.example.com',
})

async function send(
  post: Post,
  { event = 'message.received', at = TIME, secret = SECRET, text, chunked = false }: Sent = {},
): Promise<number> {
  const { data, ...sample } = sampleDelivery('message.received')
  const content = text ? Buffer.from(text) : { ...sample, event, data: { ...data, event } }
  const { headers, body } = await signDelivery(secret, content, { now: () => at * 1000 })
  return (await post({ ...headers }, chunked ? new Blob([body]).stream() : body)).status
}

/** What concerns a body that arrives piece by piece. */
const OF_READING: ReadonlySet<string> = new Set<Option>(['bodyTimeout', 'unverifiedBytes'])

/** One for every option that there is: without it, this does not compile. */
const CASES: { readonly [Name in Option]-?: Case } = {
  async scheme({ start, work }) {
    const { post } = await start({ scheme: bodyScheme })
    const body = '{"ref":"main"}'
    expect((await post(bodyHeaders(body, 'one', 'push'), body)).ok).toBe(true)
    const [delivery, { verification }] = work.mock.lastCall ?? expect.fail()
    expect(delivery).toEqual({ scheme: 'body', id: 'one', event: 'push', data: { ref: 'main' } })
    expect(verification).toMatchObject({ unsigned: ['id', 'event'], timestamp: '' })
    const forged = await post(bodyHeaders(body, 'one', 'push'), '{"ref":"evil"}')
    expect([forged.status, work.mock.calls.length]).toEqual([401, 1])
  },

  /** As the service was given it: before any mount, and with its query. */
  async publicUrl({ start, work, query }) {
    const { post } = await start({ scheme: challengeScheme, publicUrl: ORIGIN })
    const body = '{"type":"created"}'
    const target = `/webhooks?${query}`
    expect((await post(challengeHeaders(`${ORIGIN}${target}`, body), body, target)).ok).toBe(true)
    const data = { type: 'created' }
    expect(work.mock.lastCall?.[0]).toEqual({ scheme: 'challenge', event: 'created', data })
    const other = await post(challengeHeaders(`${ORIGIN}/webhooks`, body), body, target)
    expect([other.status, work.mock.calls.length]).toEqual([401, 1])
  },

  /** And the checks by GET, HEAD and OPTIONS, which the receiver responds to. */
  async verifyToken({ start, work }) {
    const { port } = await start({ scheme: checking, verifyToken: 'let-me-in' })
    const check = async (method: string, query = '', headers = {}) => {
      const url = `http://127.0.0.1:${port}/webhooks${query}`
      const response = await fetch(url, { method, headers })
      const origin = response.headers.get('webhook-allowed-origin')
      return [response.status, response.status === 200 ? await response.text() : '', origin]
    }
    const from = (host: string) => ({ 'webhook-request-origin': `${host}.example.com` })
    expect([
      await check('GET', '?token=let-me-in&challenge=a-word'),
      await check('GET', '?token=guess&challenge=a-word'),
      await check('HEAD'),
      await check('OPTIONS', '', from('events')),
    ]).toEqual([
      [200, 'a-word', null],
      [403, '', null],
      [200, '', null],
      [200, '', 'events.example.com'],
    ])
    // What is none of them, the framework or the receiver responds to.
    expect((await check('OPTIONS', '', from('other')))[2]).toBeNull()
    expect(work).not.toHaveBeenCalled()
  },

  async expectSecret({ start, work }) {
    const taken: object[] = []
    const expectSecret = async (offer: object) => taken.push(offer) === 1
    const { post } = await start({ scheme: asana, expectSecret })
    const offer = (secret: string) =>
      post({ 'x-hook-secret': secret }, '{}', '/webhooks?token=a-token-of-the-url')
    const response = await offer('a-secret-of-the-service')
    const echoed = (from: Response) => [from.status, from.headers.get('x-hook-secret')]
    expect(echoed(response)).toEqual([200, 'a-secret-of-the-service'])
    expect(taken).toEqual([{ token: 'a-token-of-the-url', secret: 'a-secret-of-the-service' }])
    expect(echoed(await offer('the-secret-of-a-stranger'))).toEqual([403, null])
    expect([taken.length, work.mock.calls.length]).toEqual([2, 0])
  },

  async tolerance({ start }) {
    const { send } = await start({ tolerance: 900 })
    expect([await send({ at: TIME - 800 }), await send({ at: TIME - 1000 })]).toEqual([204, 401])
  },

  /** Above the default, because frameworks have limits too; and in chunks, because an announced length is compared before. */
  async limit({ start }) {
    const { send } = await start({ limit: 2_000_000 })
    const text = JSON.stringify(sampleDelivery('message.received')).padEnd(2_000_000)
    const sent = [await send({ text }), await send({ text, chunked: true })]
    expect([...sent, await send({ text: `${text} `, chunked: true })]).toEqual([204, 204, 413])
  },

  async bodyTimeout({ start }) {
    const { port } = await start({ bodyTimeout: 0.1 })
    const late = await begin(port)
    const reply = await late.finalReply('POST', performance.now() + hardTimeout)
    expect(reply).toMatchObject({ status: 408 })
  },

  async unverifiedBytes({ start }) {
    const limit = 300_000
    const { port, send } = await start({ limit, unverifiedBytes: limit })
    const held = await begin(port, { 'Content-Length': String(limit) })
    await held.write(Buffer.alloc(limit - 1, ' '))
    let reply: unknown
    void held.finalReply('POST', performance.now() + hardTimeout).then((found) => {
      reply = found
    })
    const text = JSON.stringify(sampleDelivery('message.received')).padEnd(limit)
    // Until what was written has been read.
    let status = 0
    for (let sent = 0; reply === undefined && sent < 50; sent++) status = await send({ text })
    expect([status, reply]).toMatchObject([204, { status: 503 }])
  },

  async callbackTimeout({ start }) {
    const never = schemaOf(() => new Promise(() => {}))
    const { send } = await start({ callbackTimeout: 0.05, schemas: never })
    expect(await send()).toBe(500)
  },

  async schemas({ start, work }) {
    const { send } = await start({ schemas: schemaOf(() => ({ value: { made: true } })) })
    expect(await send()).toBe(204)
    expect(work.mock.lastCall?.[0]).toMatchObject({ data: { data: { made: true } } })
  },

  async extraEvents({ start, work }) {
    const { send } = await start({ extraEvents: ['message.reacted'] })
    expect(await send({ event: 'message.reacted' })).toBe(204)
    expect(work.mock.lastCall?.[0]).toMatchObject({ event: 'message.reacted', known: true })
  },

  async schemaMismatch({ start }) {
    const schemas = schemaOf(() => ({ issues: [{ message: 'never' }] }))
    const { send } = await start({ schemaMismatch: 'reject', schemas })
    expect(await send()).toBe(422)
  },

  async endpoint({ start, work }) {
    const endpoint = vi.fn(() => 'not a name')
    const { send } = await start({ endpoint })
    expect([await send(), work.mock.calls.length]).toEqual([500, 0])
    expect(endpoint).toHaveBeenCalledOnce()
  },

  async duplicates({ start, work }) {
    const { send } = await start({ duplicates: () => 'by hand' })
    expect(await send()).toBe(204)
    expect(work.mock.lastCall?.[1].verification.key).toContain('by hand')
  },

  async now({ start }) {
    const later = TIME + 5000
    const { send } = await start({ now: () => later * 1000 })
    expect([await send(), await send({ at: later })]).toEqual([401, 204])
  },

  async onAccepted({ start }) {
    const onAccepted = vi.fn()
    const { send } = await start({ onAccepted })
    expect([await send(), await send({ secret: 'whsec_other' })]).toEqual([204, 401])
    expect(onAccepted.mock.calls).toMatchObject([[{ event: 'message.received' }]])
  },

  async onHandshake({ start, work }) {
    const [onHandshake, onAccepted, onRejected] = [vi.fn(), vi.fn(), vi.fn()]
    const hooks = { onHandshake, onAccepted, onRejected }
    const { post } = await start({ scheme: challengeScheme, publicUrl: ORIGIN, ...hooks })
    const body = '{"challenge":"3eZbrw1aB"}'
    const response = await post(challengeHeaders(`${ORIGIN}/webhooks`, body), body)
    expect([response.status, await response.text()]).toEqual([200, '3eZbrw1aB'])
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(response.headers.get('x-challenge')).toBe('passed')
    expect(onHandshake.mock.calls).toMatchObject([
      [{ name: 'url_verification', scheme: 'challenge' }],
    ])
    for (const unseen of [work, onAccepted, onRejected]) expect(unseen).not.toHaveBeenCalled()
    const forged = await post(challengeHeaders('https://evil.example/webhooks', body), body)
    expect([forged.status, onHandshake.mock.calls.length]).toEqual([401, 1])
  },

  async onRejected({ start }) {
    const onRejected = vi.fn()
    const { send } = await start({ onRejected })
    expect(await send({ secret: 'whsec_other' })).toBe(401)
    expect(onRejected.mock.calls).toMatchObject([[{ reason: 'signature_mismatch' }]])
  },

  async onUnprocessable({ start }) {
    const onUnprocessable = vi.fn()
    const { send } = await start({ onUnprocessable })
    expect(await send({ text: 'no JSON' })).toBe(400)
    expect(onUnprocessable.mock.calls).toMatchObject([[{ error: { reason: 'body_not_json' } }]])
  },

  async quarantine({ start }) {
    const quarantine = { accepted: vi.fn(), keep: vi.fn(() => true) }
    const { send } = await start({ quarantine })
    expect([await send(), await send({ secret: 'whsec_other' })]).toEqual([204, 401])
    expect(quarantine.accepted).toHaveBeenCalledOnce()
    expect(quarantine.keep.mock.calls).toMatchObject([[{ reason: 'signature_mismatch' }]])
  },

  async diagnose({ start }) {
    const diagnosis = [{ code: 'guessed', certainty: 'possible', message: '', fix: '' }]
    const diagnose = vi.fn(async () => diagnosis)
    const onRejected = vi.fn()
    const { send } = await start({ diagnose, onRejected })
    expect(await send({ secret: 'whsec_other' })).toBe(401)
    expect(onRejected.mock.calls).toMatchObject([[{ diagnosis }]])
  },
}

/** Sends the head of a delivery, with these headers. */
async function begin(
  port: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Connection> {
  const setup = { secret: SECRET, now: () => TIME * 1000, path: '/webhooks' }
  const connection = await Connection.open(port)
  onTestFinished(() => connection.close())
  await connection.write(Buffer.from(deliveryRequest(setup, 'held', { headers }).head))
  return connection
}

/** For the content of a sample. */
function schemaOf(validate: (value: unknown) => unknown): object {
  return { 'message.received': { '~standard': { version: 1, vendor: 'test', validate } } }
}
