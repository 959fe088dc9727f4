import type { Scheme, SignedHead } from '@webhook-receiver/core'
import { contract } from '@webhook-receiver/core/internal'
import { schemeValueOf, sentOf } from '@webhook-receiver/schemes/neighbours'
import { type Header, headerValue, withHeader } from './headers.ts'

/** The headers and the body of a request, as they are on the wire. */
export interface SignedRequest {
  readonly headers: readonly Header[]
  readonly body: Uint8Array
}

/** By what a request is signed. */
export interface Signing {
  /** @default the contract */
  readonly scheme?: Scheme | undefined
  readonly secret: string
  /** The time of the signature, in milliseconds since the epoch. */
  readonly now: number
  /** The public URL, where the service signs it. */
  readonly url?: string | undefined
  /** For a service that has it in a header, where the request has none. @default none */
  readonly id?: string | undefined
  /** For a service that has it in a header. @default that of the request */
  readonly event?: string | undefined
}

/** What a request says of itself, without being trusted. */
export interface RequestFacts {
  /** The timestamp, as it was sent. */
  readonly timestamp?: string | undefined
  readonly id?: string | undefined
  readonly event?: string | undefined
  readonly instance?: string | undefined
}

/** Signs a request again, with a timestamp of `now` in the form that it had. Id and event stay what they are. */
export async function signAgain(
  request: SignedRequest,
  { scheme = contract, secret, now, url = '', ...given }: Signing,
): Promise<SignedRequest> {
  const { name, headers, idHeader, sign } = scheme
  if (!sign) throw new TypeError(`Only ${name} itself can sign its deliveries.`)
  const facts = readFacts(scheme, request, url)
  const sentId = idHeader && headerValue(request.headers, idHeader)
  const sentTime = sentTimestamp(scheme, request.headers) ?? facts.timestamp
  // Another form than those of the service is not written again.
  const isReadable =
    scheme.claimedTime?.((wanted) => headerValue(request.headers, wanted)) !== undefined
  const key = await scheme.importKey(secret, 'The secret', 'sign')
  const made = await sign(key, request.body, {
    id: sentId ?? facts.id ?? given.id ?? '',
    event: given.event ?? facts.event ?? '',
    time: now,
    url,
    timestamp: isReadable ? inFormOf(sentTime, now) : undefined,
  })
  const signed = Object.entries(made).filter(([header]) => {
    const lower = header.toLowerCase()
    return headers.includes(lower) && (lower !== idHeader || (sentId ?? given.id) !== undefined)
  })
  return {
    headers: signed.reduce(
      (all, [header, value]) => withHeader(all, header, value),
      request.headers,
    ),
    body: request.body,
  }
}

/** The timestamp as it was sent; `undefined` where it is in no header. */
export function sentTimestamp(scheme: Scheme, headers: readonly Header[]): string | undefined {
  const value = schemeValueOf(scheme)
  return value && sentOf(value, (name) => headerValue(headers, name)).timestamp
}

/** As much as can be read of a request, whoever has signed it. */
export function readFacts(
  scheme: Scheme,
  { headers, body }: SignedRequest,
  url: string,
): RequestFacts {
  const header = (name: string) => headerValue(headers, name)
  // A scheme may read a part of the delivery from there.
  const withoutSignature = { timestamp: undefined, header }
  const head = orElse<SignedHead>(withoutSignature, () =>
    scheme.readHead({ method: 'POST', header, url }),
  )
  const { timestamp } = head
  return orElse<RequestFacts>({ timestamp, ...partsOf(body) }, () => {
    const { id, event } = scheme.readBody(body, new Set(), head)
    return { timestamp, id, event, instance: partsOf(body).instance }
  })
}

/** What a body that is not a delivery has at the usual places. */
function partsOf(body: Uint8Array): Omit<RequestFacts, 'timestamp'> {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return orElse<Omit<RequestFacts, 'timestamp'>>({}, () => {
    const { id, event, data } = Object(JSON.parse(Buffer.from(body).toString()))
    return { id: text(id), event: text(event), instance: text(Object(data).instance_id) }
  })
}

function orElse<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** A time as a timestamp in the form that another one has; Unix seconds unless it has a known one. */
export function inFormOf(timestamp: string | undefined, time: number): string {
  if (timestamp !== undefined) {
    if (/^\d{13}$/.test(timestamp)) return String(time)
    if (/^\d{4}-\d\d-\d\d/.test(timestamp)) return new Date(time).toISOString()
    if (/GMT$/.test(timestamp)) return new Date(time).toUTCString()
  }
  return String(Math.floor(time / 1000))
}
