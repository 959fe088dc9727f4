import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Scheme, SignedHead } from '@webhook-receiver/core'
import { parseJson, rejection } from '@webhook-receiver/core/adapter'
import type { ServiceKind } from '@webhook-receiver/schemes'

type Kind = ServiceKind<'fal', 'signed', 'none'>
interface Head extends SignedHead {
  readonly timestamp: string
  readonly id: string
  readonly user: string
  readonly signature: string
}
const KEYS = 'https://rest.fal.ai/.well-known/jwks.json'
const ID = 'x-fal-webhook-request-id'
const USER = 'x-fal-webhook-user-id'
const TIME = 'x-fal-webhook-timestamp'
const SIGNATURE = 'x-fal-webhook-signature'

let known: Promise<readonly KeyObject[]> | undefined
let until = 0

/** Fetched once for all requests, and again after ten minutes. */
function publicKeys() {
  if (known && Date.now() < until) return known
  until = Date.now() + 600_000
  known = fetchKeys().catch((cause) => {
    known = undefined
    throw rejection('secret_unavailable', undefined, { cause })
  })
  return known
}

async function fetchKeys() {
  const signal = AbortSignal.timeout(5000)
  const response = await fetch(KEYS, { signal, redirect: 'error' })
  if (!response.ok) throw new Error(`the status is ${response.status}`)
  const { keys } = (await response.json()) as {
    keys: { kty: string; crv: string; x: string }[]
  }
  return keys
    .filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519')
    .map(({ kty, crv, x }) => {
      const key = { kty, crv, x: x.replace(/=+$/, '') }
      return createPublicKey({ key, format: 'jwk' })
    })
}

export const fal: Scheme<string, Kind> = {
  name: 'fal',
  title: 'fal',
  headers: [ID, USER, TIME, SIGNATURE],
  idHeader: undefined,
  hasId: true,
  hasEvent: false,
  tolerance: 300,
  secret: { called: 'the user ID', isName: true },
  importKey: (userId) => userId,
  readHead({ method, header }): Head {
    if (method !== 'POST') throw rejection('method_not_allowed', { method })
    const signature = header(SIGNATURE)
    if (!signature) {
      throw rejection('signature_missing', { header: SIGNATURE })
    }
    const [id, user, timestamp] = [header(ID), header(USER), header(TIME)]
    if (!/^[\da-f]{128}$/.test(signature) || !id || !user) {
      throw rejection('signature_malformed', {
        header: SIGNATURE,
        expected: '128 hexadecimal digits, with the other headers of fal',
        fault: 'it has other characters, or a header is missing',
      })
    }
    if (!timestamp) throw rejection('timestamp_missing', { header: TIME })
    return { id, user, timestamp, signature }
  },
  async verify(userId, { id, user, timestamp, signature }: Head, body) {
    const digest = createHash('sha256').update(body).digest('hex')
    const signed = Buffer.from([id, user, timestamp, digest].join('\n'))
    const bytes = Buffer.from(signature, 'hex')
    const isValid = (key: KeyObject) => verify(null, signed, key, bytes)
    return (await publicKeys()).some(isValid) && user === userId
  },
  readTime({ timestamp }: Head) {
    if (/^\d{10}$/.test(timestamp)) return Number(timestamp) * 1000
    const seen = { header: TIME, timestamp, forms: 'Unix seconds' }
    throw rejection('timestamp_unreadable', seen)
  },
  readBody: (body, _events, head) => ({
    scheme: 'fal',
    id: (head as Head).id,
    data: parseJson(body),
  }),
  identity: (head, body) => [(head as Head).id, body],
}
