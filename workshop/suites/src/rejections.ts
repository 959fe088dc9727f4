import type { AdapterSetup, RunningAdapter } from '@webhook-receiver/conformance'
import {
  Connection,
  deliveryRequest,
  hardTimeout,
  type RequestFault,
} from '@webhook-receiver/conformance/internal'
import type { ReceiverOptions } from '@webhook-receiver/core'
import { CONTRACT_HEADERS } from '@webhook-receiver/core/internal'
import { describe, expect, onTestFinished, test } from 'vitest'

/** What an adapter gets to start a receiver, in either form, that takes every method. */
interface RejectionSetup extends Pick<AdapterSetup, 'path'> {
  readonly secret: () => Promise<string>
  /** Set for every response by something in front of the receiver. */
  readonly headers: Readonly<Record<string, string>>
  readonly options: ReceiverOptions
}

type StartRejecting = (setup: RejectionSetup) => RunningAdapter | Promise<RunningAdapter>

interface RejectionSuiteOptions {
  /**
   * Whether other methods than POST reach the receiver.
   * @default true
   */
  readonly methods?: boolean | undefined
  /**
   * Whether headers of another body, which something in front has set, are not those of the response.
   * @default true
   */
  readonly replacesBodies?: boolean | undefined
  /**
   * Whether the receiver responds to a valid delivery by itself.
   * @default false
   */
  readonly accepts?: boolean | undefined
}

/**
 * Tests that an adapter responds to what it rejects as all adapters do: with the same status, body and headers, and with
 * the headers that something in front of it has set. Call it at the top level of a test file.
 */
export function describeRejections(
  name: string,
  start: StartRejecting,
  { methods = true, replacesBodies = true, accepts = false }: RejectionSuiteOptions = {},
): void {
  const others = replacesBodies ? { ...OTHERS, ...REPLACED } : OTHERS
  const runs = rejections.filter(
    ([, status]) => (methods || status !== 405) && (accepts || status !== 204),
  )
  describe(`${name}, rejections`, () => {
    test.each(runs)(
      '%s: %i %s',
      async (_name, status, code, { fault = {}, withheld, headers = {}, options, fails }) => {
        const secret = async () => {
          if (fails) throw new Error('no such tenant')
          return SECRET
        }
        const setup = { path: '/webhooks', headers: others, secret }
        const adapter = await start({ ...setup, options: { onRejected: false, ...options } })
        onTestFinished(() => adapter.close())
        const connection = await Connection.open(adapter.port)
        onTestFinished(() => connection.close())
        const request = { secret: SECRET, now: Date.now, path: setup.path }
        const { head, body } = deliveryRequest(request, 'rejected', fault)
        void connection.write(withheld ? Buffer.from(head) : Buffer.from(head + body))
        const reply = await connection.finalReply('POST', performance.now() + hardTimeout)
        if (typeof reply === 'string') return expect.fail(reply)
        const expected = code && JSON.stringify({ code, message: code.replaceAll('_', ' ') })
        expect([reply.status, reply.body.toString()]).toEqual([status, expected])
        // Older servers of Hono set a type of their own beside a 204.
        const ours = code ? OURS : OURS.filter((header) => header !== 'content-type')
        const names = [...ours, ...Object.keys(others)]
        const seen = [...reply.headers].filter(([header]) => names.includes(header))
        expect(Object.fromEntries(seen)).toEqual({
          ...(code && {
            'content-type': 'application/json',
            'content-length': String(expected.length),
          }),
          connection: 'keep-alive',
          ...headers,
          ...OTHERS,
        })
      },
    )
  })
}

const SECRET = 'whsec_rejections'
const OURS = ['content-type', 'content-length', 'connection', 'allow', 'retry-after']
const OTHERS = { 'access-control-allow-origin': '*', 'x-request-id': 'req_1' }
const REPLACED = {
  'content-length': '1234',
  'content-encoding': 'gzip',
  'content-range': 'bytes 0-1/2',
}

const UNSIGNED = { [CONTRACT_HEADERS.signature]: undefined }
const CLOSES = { connection: 'close' }

interface ExpectedRejection {
  readonly fault?: RequestFault
  /** The body is announced and not sent. */
  readonly withheld?: boolean
  /** Headers of the response besides those of every rejection. */
  readonly headers?: Readonly<Record<string, string>>
  readonly options?: RejectionSetup['options']
  /** Whether the secret function rejects. */
  readonly fails?: boolean
}

/** One for each way that a response differs in: its status, body and other headers come from core, and the vectors have more of them. */
const rejections: readonly (readonly [
  name: string,
  status: number,
  code: string,
  response: ExpectedRejection,
])[] = [
  // RFC 9110, section 8.6: no length beside a 204.
  ['a valid delivery', 204, '', {}],
  ['no signature', 401, 'not_authenticated', { fault: { headers: UNSIGNED } }],
  [
    'no signature, and more than is read on for',
    401,
    'not_authenticated',
    {
      fault: { headers: { ...UNSIGNED, 'Content-Length': '2000000' } },
      withheld: true,
      headers: CLOSES,
    },
  ],
  [
    'another method',
    405,
    'method_not_allowed',
    { fault: { method: 'PUT' }, headers: { allow: 'POST' } },
  ],
  [
    'a body that does not come',
    408,
    'body_too_slow',
    { withheld: true, headers: CLOSES, options: { bodyTimeout: 0.2 } },
  ],
  [
    'a body over the limit',
    413,
    'body_too_large',
    { fault: { sent: Buffer.alloc(2000, 'x') }, headers: CLOSES, options: { limit: 1000 } },
  ],
  [
    'a secret that cannot be looked up',
    503,
    'receiver_unavailable',
    { headers: { 'retry-after': '10' }, fails: true },
  ],
]
