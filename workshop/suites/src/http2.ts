import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { type ReceiverOptions, type Rejection, reply } from '@webhook-receiver/core'
import { signDelivery } from '@webhook-receiver/core/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { possibleReplies } from './schemes/replies.ts'
import { expectArrived } from './schemes/responses.ts'

const SECRET = 'whsec_http2'
const { headers, body } = await signDelivery(SECRET, 'message.received')

type Case = readonly [name: string, status: number, options: object, headers: object, text: string]

const CASES: readonly Case[] = [
  ['a body that does not end', 408, { bodyTimeout: 0.1 }, headers, '{'],
  ['a body that is too large', 413, { limit: 10 }, headers, 'x'.repeat(20)],
  ['a body that announces too much', 413, { limit: 10 }, { ...headers, 'content-length': 20 }, ''],
  ['a request without a signature', 401, {}, {}, '{'],
]

/** Tests an adapter over HTTP/2, where a connection outlives the streams of its requests, with these cases and `more`. */
export function describeHttp2(
  name: string,
  listen: (
    secret: string,
    work: () => unknown,
    options: ReceiverOptions,
  ) => RequestListener | Promise<RequestListener>,
  more: readonly Case[] = [],
): void {
  const warnings: unknown[] = []

  /** One connection to a receiver, and the streams that it has open. */
  async function start(
    options: ReceiverOptions,
    work: () => unknown = () => {},
    finished = onTestFinished,
  ) {
    vi.spyOn(process, 'emitWarning').mockImplementation((warning) => void warnings.push(warning))
    const open = new Set<ServerHttp2Stream>()
    const listener = await listen(SECRET, work, { onRejected: false, ...options })
    // Only its shape is another; frameworks hand such requests over as well.
    const server = createServer(listener as object as Parameters<typeof createServer>[0])
    server.on('stream', (stream) => {
      open.add(stream)
      stream.on('close', () => open.delete(stream))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect(`http://127.0.0.1:${Object(server.address()).port}`)
    client.on('error', () => {})
    finished(() => {
      client.destroy()
      server.close()
    })
    return { open, client }
  }

  /** Posts without ending the body. */
  function post(client: ClientHttp2Session, sent: OutgoingHttpHeaders, text: string) {
    const request = client.request({ ':method': 'POST', ':path': '/', ...sent })
    request.on('error', () => {})
    if (text !== '') request.write(text)
    return request
  }

  describe(`${name}, over HTTP/2`, () => {
    // At the same time: a body that does not end is read on for a while.
    test.concurrent.for([...CASES, ...more])(
      '%s gets %i, and its stream does not stay open',
      async ([, status, options, sent, text], { expect, onTestFinished }) => {
        const { open, client } = await start(options, undefined, onTestFinished)
        const request = post(client, { ...sent }, text)
        const chunks: Buffer[] = []
        request.on('data', (chunk) => chunks.push(chunk))
        const [response] = await once(request, 'response')
        expect(response[':status']).toBe(status)
        await expect.poll(() => open.size).toBe(0)
        const whole = Buffer.concat(chunks).toString()
        if (status !== 404) expect(JSON.parse(whole)).toHaveProperty('code')
      },
    )

    test('a valid delivery on the same connection is accepted after a rejection', async () => {
      const { client } = await start({})
      // Not by a timeout: a busy machine may be late with the valid one, too.
      await once(post(client, { ...headers, 'content-length': 2 ** 30 }, '{'), 'response')
      const valid = post(client, { ...headers }, '')
      valid.end(body)
      const [response] = await once(valid, 'response')
      expect(response[':status']).toBe(204)
    })

    test('a body that its sender breaks off is incomplete', async () => {
      const reasons: string[] = []
      const onRejected = ({ reason }: Rejection) => void reasons.push(reason)
      const { open, client } = await start({ onRejected })
      const request = post(client, { ...headers }, '{')
      await expect.poll(() => open.size).toBe(1)
      request.destroy()
      await expect.poll(() => reasons).toEqual(['body_incomplete'])
    })

    test('sends every reply that can be made, and the next one on the same connection', async () => {
      let next = reply()
      const { client } = await start({ tolerance: Number.POSITIVE_INFINITY }, () => next)
      for (next of possibleReplies()) {
        const request = post(client, { ...headers }, '')
        request.end(body)
        const [response] = await once(request, 'response')
        const { ':status': status, ...fields } = response
        const found = Object.entries(fields).map(([key, value]) => [key, `${value}`] as const)
        const chunks = await request.toArray()
        expectArrived({ status, headers: found, body: Buffer.concat(chunks) }, next)
      }
    })

    // Node says it once a process, of any header of a connection, which HTTP/2 does not have.
    test('none of the responses made Node warn', () => {
      expect(warnings).toEqual([])
    })
  })
}
