import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Scheme } from '@webhook-receiver/core'
import { rejection } from '@webhook-receiver/core/adapter'
import { signatureMissing, wrongMethod } from '@webhook-receiver/core/internal'

type Content = Readonly<Record<string, unknown>>

interface SchemeHead {
  readonly timestamp: string | undefined
  readonly signature: string
  readonly id?: string | undefined
  readonly event?: string | undefined
}

interface BodyKind {
  readonly name: 'body'
  readonly id: true
  readonly idSigned: false
  readonly event: true
  readonly action: true
  readonly events: Readonly<Record<string, Content>>
}

/**
 * As some services sign: HMAC-SHA256 over the body and nothing else, id and event in headers that the signature does not cover, and the
 * action in the body.
 */
export const bodyScheme: Scheme<string, BodyKind> = {
  name: 'body',
  headers: ['x-body-id', 'x-body-event', 'x-body-signature'],
  idHeader: 'x-body-id',
  hasId: true,
  hasEvent: true,
  tolerance: Number.POSITIVE_INFINITY,
  unsigned: ['id', 'event'],
  patience: 10,
  importKey: (secret) => secret,
  readHead({ method, header }): SchemeHead {
    if (method !== 'POST') throw wrongMethod({ method, header }, [])
    const signature = header('x-body-signature')
    if (!signature) throw signatureMissing({ method, header }, ['X-Body-Signature'])
    const [id, event] = [header('x-body-id') ?? '', header('x-body-event') ?? '']
    return { timestamp: undefined, signature, id, event }
  },
  verify: (key, { signature }: SchemeHead, body) =>
    equal(signature, `sha256=${hmac(key).update(body).digest('hex')}`),
  readBody(body, _events, { id = '', event = '' }: SchemeHead) {
    const data = contentOf(body)
    const action = actionOf(data)
    return { scheme: 'body', id, event, ...(action && { action }), data }
  },
  actionOf,
  sign: (key, body, { id, event }) => ({
    'content-type': 'application/json',
    'x-body-id': id,
    'x-body-event': event,
    'x-body-signature': `sha256=${hmac(key).update(body).digest('hex')}`,
  }),
}

function actionOf(data: unknown): string | undefined {
  const { action }: Content = Object(data)
  return typeof action === 'string' ? action : undefined
}

/**
 * With all that a service may have besides: a handshake, a status and a body of its own for success, a signed URL, an event but
 * no id, and a timestamp.
 */
export const challengeScheme: Scheme<
  string,
  { name: 'challenge'; id: false; idSigned: false; event: true; events: Record<string, Content> }
> = {
  name: 'challenge',
  headers: ['x-challenge-time', 'x-challenge-signature'],
  idHeader: undefined,
  hasId: false,
  hasEvent: true,
  tolerance: 300,
  signsUrl: true,
  patience: 3,
  success: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' },
  importKey: (secret) => secret,
  readHead({ method, header, url }) {
    if (method !== 'POST') throw wrongMethod({ method, header }, [])
    const signature = header('x-challenge-signature')
    if (!signature) throw signatureMissing({ method, header }, ['X-Challenge-Signature'])
    return { timestamp: header('x-challenge-time') ?? '', signature, url }
  },
  verify(key, head, body) {
    const { signature, timestamp, url }: SchemeHead & { readonly url?: string } = Object(head)
    return equal(signature, challengeSignature(key, url ?? '', timestamp ?? '', body))
  },
  readTime: ({ timestamp }) => Number(timestamp) * 1000,
  identity: (head, body) => [String(Object(head).url), body],
  handshake(_head, body) {
    const { challenge } = contentOf(body)
    if (typeof challenge !== 'string') return undefined
    const headers = { 'content-type': 'text/plain', 'x-challenge': 'passed' }
    return { name: 'url_verification', response: { status: 200, headers, body: challenge } }
  },
  readBody(body) {
    const data = contentOf(body)
    return { scheme: 'challenge', event: String(data.type), data }
  },
  claimedTime: (header) => Number(header('x-challenge-time') ?? Number.NaN) * 1000 || undefined,
  sign(key, body, { time, url }) {
    const timestamp = String(Math.floor(time / 1000))
    return {
      'content-type': 'application/json',
      'x-challenge-time': timestamp,
      'x-challenge-signature': challengeSignature(key, url, timestamp, body),
    }
  },
}

function challengeSignature(key: string, url: string, timestamp: string, body: Uint8Array): string {
  return hmac(key).update(`${timestamp}.${url}.`).update(body).digest('base64')
}

function hmac(key: string) {
  return createHmac('sha256', key)
}

function equal(received: string, computed: string): boolean {
  const [one, other] = [Buffer.from(received), Buffer.from(computed)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function contentOf(body: Uint8Array): Content {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    throw rejection('body_not_json', { text: '' })
  }
}
