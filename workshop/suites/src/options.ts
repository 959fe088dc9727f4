import { Connection, deliveryRequest, hardTimeout } from '@webhook-receiver/conformance/internal'
import type { ReceiverOptions } from '@webhook-receiver/core'
import { RECEIVER_OPTIONS } from '@webhook-receiver/core/internal'
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
  /** The body, instead of a sample. */
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

/**
 * Tests that the options of a receiver get through an adapter: that core checks each, and on real sockets those for which an adapter has
 * to say something of the request, or to respond. Call it at the top level of a test file.
 */
export function describeOptions(
  name: string,
  form: 'handler' | 'middleware',
  start: StartReceiver,
  { query = 'a=1&b=%20%2f', whole = false }: OptionSuiteOptions = {},
): void {
  describe(`${name}, ${form}, the option`, () => {
    const { begin: startWith } = posting(start)

    test.each(Object.keys(RECEIVER_OPTIONS))('`%s` is checked by core', async (option) => {
      const starting = startWith(() => {}, { [option]: Symbol('none') })
      await expect(starting).rejects.toThrow(TypeError)
      await expect(starting).rejects.toThrow(`\`${option}\``)
    })

    const cases = Object.entries(CASES).filter(([option]) => !whole || option !== 'unverifiedBytes')
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

async function send(post: Post, { text, chunked = false }: Sent = {}): Promise<number> {
  const sent = text ? Buffer.from(text) : 'message.received'
  const { headers, body } = await signDelivery(SECRET, sent, { now: () => TIME * 1000 })
  return (await post({ ...headers }, chunked ? new Blob([body]).stream() : body)).status
}

const CASES: { readonly [Name in keyof ReceiverOptions]: Case } = {
  async scheme({ start, work }) {
    const { post } = await start({ scheme: bodyScheme })
    const body = '{"ref":"main"}'
    expect((await post(bodyHeaders(body), body)).ok).toBe(true)
    const [delivery, { verification }] = work.mock.lastCall ?? expect.fail()
    expect(delivery).toEqual({ scheme: 'body', id: 'one', event: 'push', data: { ref: 'main' } })
    expect(verification).toMatchObject({ unsigned: ['id', 'event'], timestamp: '' })
    const forged = await post(bodyHeaders(body), '{"ref":"evil"}')
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

  /** Above the default, because frameworks have limits too; and in chunks, because an announced length is compared before. */
  async limit({ start }) {
    const { send } = await start({ limit: 2_000_000 })
    const text = JSON.stringify(sampleDelivery('message.received')).padEnd(2_000_000)
    const sent = [await send({ text }), await send({ text, chunked: true })]
    expect([...sent, await send({ text: `${text} `, chunked: true })]).toEqual([204, 204, 413])
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

  async onHandshake({ start, work }) {
    const [onHandshake, onAccepted, onRejected] = [vi.fn(), vi.fn(), vi.fn()]
    const hooks = { onHandshake, onAccepted, onRejected }
    const { post } = await start({ scheme: challengeScheme, publicUrl: ORIGIN, ...hooks })
    const body = '{"type":"url_verification","challenge":"3eZbrw1aB"}'
    const response = await post(challengeHeaders(`${ORIGIN}/webhooks`, body), body)
    expect([response.status, await response.text()]).toEqual([200, '3eZbrw1aB'])
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(onHandshake.mock.calls).toMatchObject([
      [{ name: 'url_verification', scheme: 'challenge' }],
    ])
    for (const unseen of [work, onAccepted, onRejected]) expect(unseen).not.toHaveBeenCalled()
    const forged = await post(challengeHeaders('https://evil.example/webhooks', body), body)
    expect([forged.status, onHandshake.mock.calls.length]).toEqual([401, 1])
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
