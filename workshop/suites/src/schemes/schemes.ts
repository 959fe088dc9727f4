import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Scheme } from '@webhook-receiver/core'
import { rejection } from '@webhook-receiver/core/adapter'
import { signatureMissing, wrongMethod } from '@webhook-receiver/core/internal'
import { type DefinedScheme, defineScheme, type ServiceKind } from '@webhook-receiver/schemes'

type Content = Readonly<Record<string, unknown>>

interface ChallengeHead {
  readonly timestamp: string
  readonly signature: string
  readonly url?: string | undefined
}

/**
 * As some services sign: HMAC-SHA256 over the body and nothing else, id and event in headers that the signature does not cover, and the
 * action in the body.
 */
export const bodyScheme: DefinedScheme<ServiceKind<'body', 'unsigned', 'event and action'>> =
  defineScheme({
    name: 'body',
    checked: '2026-11-29',
    signature: { header: 'x-body-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
    signed: ['body'],
    id: [{ header: 'x-body-id' }],
    event: [{ header: 'x-body-event' }],
    action: [{ pointer: '/action' }],
    patience: 10,
  })

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
  readHead({ method, header, url }): ChallengeHead {
    if (method !== 'POST') throw wrongMethod({ method, header }, [])
    const signature = header('x-challenge-signature')
    if (!signature) throw signatureMissing({ method, header }, ['X-Challenge-Signature'])
    return { timestamp: header('x-challenge-time') ?? '', signature, url }
  },
  verify: (key, { signature, timestamp, url = '' }: ChallengeHead, body) =>
    equal(signature, challengeSignature(key, url, timestamp, body)),
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
