import { type RequestHead, WebhookError } from '@webhook-receiver/core'
import { publicUrlOf } from '@webhook-receiver/core/internal'
import type { Finding } from '@webhook-receiver/diagnose'
import { examine as diagnose, type SignedRequest } from '@webhook-receiver/diagnose/internal'
import { namesOf, schemeValueOf, sentOf } from '@webhook-receiver/schemes/neighbours'
import { type Difference, differenceOf, partingOf } from '../src/difference.ts'
import {
  type AnyScheme,
  type SignedRequestFacts,
  type SignedText,
  signedTexts,
} from '../src/signed-texts.ts'
import { type Verification, verifyRequest } from '../src/verification.ts'
import type { Header } from './request-text.ts'
import { allSchemes } from './services.ts'

/** A request, and what it is verified with. */
export interface Pasted {
  readonly scheme: AnyScheme
  readonly method: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  readonly secret: string
  /** The public URL, or a path; empty if it is not known. */
  readonly url: string
  /** When it was received, in milliseconds since the epoch. Default: when it says that it was signed. */
  readonly receivedAt?: number | undefined
}

export interface Result {
  readonly isValid: boolean
  /** What a receiver responds with. */
  readonly status?: number | undefined
  readonly reason?: string | undefined
  /** The cause in a sentence, or what was seen. */
  readonly sentence: string
  readonly fix?: string | undefined
  readonly findings: readonly Finding[]
  /** How long ago it was signed, in seconds, if that is too long now. */
  readonly age?: number | undefined
  readonly signed: readonly SignedText[]
  readonly difference?: Difference | undefined
  readonly event?: string | undefined
}

/** Verifies a request as a receiver does at the time of the request, and says why it is rejected. */
export async function examine(pasted: Pasted): Promise<Result> {
  const { scheme, headers, secret } = pasted
  const request = asReceived(pasted)
  const { head, body } = request
  const value = schemeValueOf(scheme)
  const timestamp = value && sentOf(value, head.header).timestamp
  const facts = { header: head.header, url: request.url, body, timestamp }
  const signed = orElse([], () => signedTexts(scheme, facts))
  const seen = { signed, findings: [], age: ageOf(pasted, head) }
  if (secret === '') return { ...seen, ...withoutSecret(scheme, head) }

  const verification = await verified(pasted, request, head)
  if (verification.valid) {
    const { delivery, handshake } = verification
    const sentence = handshake ? `The signature is valid: ${handshake}.` : 'The signature is valid.'
    return { ...seen, isValid: true, sentence, event: delivery?.event }
  }
  const { status, reason, detail } = verification
  const rejected = { ...seen, isValid: false, status, reason, ...inSentences(detail) }
  if (!reason.startsWith('signature_')) return rejected
  const { url } = request
  const input = { headers, body, secrets: secret, scheme, url, otherSchemes: allSchemes }
  const { diagnosis, signed: sent } = await diagnose(input)
  const [first] = diagnosis
  // Of a secret that cannot be used, and of a missing signature, the receiver says more than what is only possible.
  const isSaid = status === undefined || reason === 'signature_missing'
  if (isSaid && first.certainty !== 'certain') return rejected
  return {
    ...rejected,
    sentence: first.message,
    fix: first.fix,
    findings: diagnosis,
    difference: sent && (await parted(pasted, head, facts, sent, first)),
  }
}

interface Received {
  readonly head: RequestHead
  readonly body: Uint8Array
  /** The whole public URL, as far as it is known. */
  readonly url: string
}

function asReceived({ method, headers, body, url }: Pasted): Received {
  const header = (wanted: string) => {
    const values = headers.filter(([name]) => name.toLowerCase() === wanted.toLowerCase())
    return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ')
  }
  const host = header('x-forwarded-host') ?? header('host') ?? 'example.com'
  const whole = url.startsWith('/') ? publicUrlOf(`https://${host}`, url) : url
  return { head: { method, header, url: whole }, body, url: whole }
}

type Outcome =
  | Verification
  /** The secret cannot be used at all. */
  | {
      readonly valid: false
      readonly status?: undefined
      readonly reason: string
      readonly detail: string
    }

async function verified(
  { scheme, method, headers, secret, receivedAt }: Pasted,
  { body, url }: Received,
  { header }: RequestHead,
): Promise<Outcome> {
  const at = receivedAt ?? scheme.claimedTime?.(header) ?? Date.now()
  const target = url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/'
  const publicUrl = scheme.signsUrl ? url : undefined
  const limit = 33_554_432
  try {
    const request = { method, headers, body, target }
    return await verifyRequest(request, secret, at, { scheme, publicUrl, limit })
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { valid: false, reason: 'signature_mismatch', detail }
  }
}

/** What the headers alone show. */
function withoutSecret(scheme: AnyScheme, head: RequestHead) {
  try {
    scheme.readHead(head)
    return {
      isValid: false,
      sentence: 'The headers are complete. Enter the secret to verify them.',
    }
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    const { status, reason, detail } = error
    return { isValid: false, status, reason, ...inSentences(detail) }
  }
}

/** The first sentence says what was seen, the others what to do. */
function inSentences(detail: string): Pick<Result, 'sentence' | 'fix'> {
  const [sentence = detail, ...others] = detail.split(/(?<=[.?!]) (?=[A-Z`"])/)
  return { sentence, ...(others.length > 0 && { fix: others.join(' ') }) }
}

function ageOf({ scheme, receivedAt }: Pasted, { header }: RequestHead): number | undefined {
  const time = scheme.claimedTime?.(header)
  if (time === undefined || receivedAt !== undefined) return undefined
  const age = (Date.now() - time) / 1000
  return age > scheme.tolerance ? age : undefined
}

/** Where what the sender signed differs from what is verified; where that is equal, how the header of the signature does. */
async function parted(
  { scheme, secret, body }: Pasted,
  head: RequestHead,
  facts: SignedRequestFacts,
  sent: SignedRequest,
  { code }: Finding,
): Promise<Difference | undefined> {
  if (code === 'valid') return undefined
  const found = orElse(undefined, () => partingOf(scheme, facts, sent))
  const value = schemeValueOf(scheme)
  if (found || !value || !code.startsWith('signature_')) return found
  const { timestamp, ids } = sentOf(value, head.header, scheme.idHeader)
  const time = scheme.claimedTime?.(head.header) ?? 0
  const parts = { id: ids[0] ?? '', event: '', url: head.url ?? '', time, timestamp }
  const key = await scheme.importKey(secret, 'The secret')
  const made = Object.entries((await scheme.sign?.(key, Uint8Array.from(body), parts)) ?? {})
  const where = namesOf(value.signature).find((name) => head.header(name))
  const [, right] = made.find(([name]) => name.toLowerCase() === where) ?? []
  const difference = where && right && differenceOf(right, head.header(where) ?? '')
  return difference ? { ...difference, where } : undefined
}

function orElse<Value>(otherwise: Value, work: () => Value): Value {
  try {
    return work()
  } catch {
    return otherwise
  }
}
