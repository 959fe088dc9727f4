import type { VectorRequest, VectorSend } from '@webhook-receiver/conformance/internal'
import type { Scheme, SignableParts } from '@webhook-receiver/core'
import { publicUrlOf } from '@webhook-receiver/core/internal'
import { otherSecret } from '@webhook-receiver/core/testing'
import { type Header, headerValue } from '@webhook-receiver/emulator/internal'
import {
  namesOf,
  neighbourScheme,
  type SchemeValue,
  type Sent,
  schemeValueOf,
  sentOf,
  withDigests,
} from '@webhook-receiver/schemes/neighbours'
import type { ChosenScheme } from '../options/index.ts'
import type { JsonFormat } from './json-format.ts'

/** One request of a probe. */
export interface ProbeRequest {
  /** The `id` in its body, which the observer is asked for. */
  readonly id: string
  readonly method?: string
  readonly headers: readonly Header[]
  readonly body: Buffer
  /** @default 'content-length' */
  readonly framing?: VectorRequest['framing']
  readonly send?: VectorSend
}

/** Makes a request of a probe: a valid delivery, except for what the variant changes. */
export type MakeRequest = (variant?: Variant) => ProbeRequest | Promise<ProbeRequest>

/** What the requests of a run have in common. */
export interface ProbeSettings extends ChosenScheme {
  readonly url: URL
  readonly secret: string
  readonly event: string
  /** The content of each delivery. @default a sample */
  readonly data: Readonly<Record<string, unknown>> | undefined
  /** A size that the receiver should reject, in bytes. */
  readonly oversize: number
  /** The clock: milliseconds since the epoch. */
  readonly now: () => number
}

/** How a request differs from a plain valid delivery. */
export interface Variant {
  readonly format?: JsonFormat
  /** Added to `data.data` as `text`. */
  readonly text?: string
  /** Adds so much text that the receiver should reject it. */
  readonly large?: true
  readonly event?: string
  readonly secret?: string
  /** The bytes of the key, in place of a secret. */
  readonly key?: Uint8Array<ArrayBuffer>
  /** By what else it is signed: a neighbour of what the service does. */
  readonly neighbour?: (value: SchemeValue, sent: Sent) => SchemeValue | undefined
  /** What is signed in place of the body. */
  readonly signed?: (body: Buffer) => Buffer
  /** @default the Unix seconds of the clock */
  readonly timestamp?: string
  /** Seconds from the clock. */
  readonly ahead?: number
  /** @default the body's id */
  readonly webhookId?: string
  /** Leaves out the header of the signature. */
  readonly unsigned?: true
  /** Changes what was signed. */
  readonly change?: (
    request: ProbeRequest,
    settings: Pick<ProbeSettings, 'scheme' | 'now'>,
  ) => Partial<ProbeRequest>
}

/** The instance of all probes, so that an operator recognises them. */
export const INSTANCE = 'webhook_receiver_doctor'

/** A delivery as the service signs it. */
export async function probeRequest(
  settings: ProbeSettings,
  variant: Variant = {},
): Promise<ProbeRequest> {
  const { scheme, publicUrl, url, event, data, oversize, now } = settings
  const { compose, events, sample } = scheme
  const id = crypto.randomUUID()
  const text = variant.large ? 'x'.repeat(oversize) : variant.text
  const parts = {
    ...{ id, event: variant.event ?? event, time: now() + (variant.ahead ?? 0) * 1000 },
    ...{ timestamp: variant.timestamp, instance: INSTANCE },
    url: publicUrlOf(publicUrl ?? url.origin, `${url.pathname}${url.search}`),
  }
  const content = {
    ...(events ? (data ?? sample?.(parts.event)) : { text: INSTANCE, ...data }),
    ...(text !== undefined && { text }),
  }
  const composed = Buffer.from(compose?.(content, parts) ?? JSON.stringify(content))
  const body = variant.format
    ? Buffer.from(variant.format(JSON.parse(composed.toString())))
    : composed
  const covered = variant.signed?.(body) ?? body
  const signed = await signedHeaders(settings, variant, covered, {
    ...parts,
    id: variant.webhookId ?? id,
  })
  const value = schemeValueOf(scheme)
  const left = variant.unsigned ? (value ? namesOf(value.signature) : scheme.headers) : []
  const headers = Object.entries(signed).filter(([name]) => !left.includes(name.toLowerCase()))
  const request: ProbeRequest = {
    id,
    headers: headerValue(headers, TYPE[0]) === undefined ? [TYPE, ...headers] : headers,
    body,
  }
  return { ...request, ...variant.change?.(request, settings) }
}

const TYPE = ['content-type', 'application/json'] as const

type SignedHeaders = Readonly<Record<string, string>>

/** The headers of the service, with those of a neighbour where the variant is signed by one. */
async function signedHeaders(
  { scheme, secret }: ProbeSettings,
  { secret: other = secret, key: bytes, neighbour }: Variant,
  body: Buffer,
  parts: SignableParts,
): Promise<SignedHeaders> {
  const { name, sign } = scheme
  if (!sign) throw new TypeError(`Only ${name} itself can sign its deliveries.`)
  const imported = async (by: Scheme, one: string) => by.importKey(one, 'The secret')
  const keyOf = (by: Scheme) => imported(by, other).catch(() => imported(by, otherSecret(secret)))
  const right = await sign(await keyOf(scheme), body, parts)
  const value = schemeValueOf(scheme)
  if (!value || (!neighbour && !bytes)) return right
  const by = neighbourScheme(neighbour?.(value, sentIn(value, right)) ?? value)
  const key = (bytes && (await by.importBytes?.(bytes))) ?? (await keyOf(by))
  const made = (await by.sign?.(key, body, parts)) ?? {}
  const [signature] = namesOf(value.signature)
  const wrong = Object.entries(made).find(([header]) => header.toLowerCase() === signature)
  return Object.fromEntries(
    Object.entries(right).map(([header, text]) =>
      header.toLowerCase() === signature ? [header, wrong?.[1] ?? text] : [header, text],
    ),
  )
}

function sentIn(value: SchemeValue, headers: SignedHeaders): Sent {
  return sentOf(value, (name) => headerValue(Object.entries(headers), name))
}

/** A change of the headers of a request: without those with one of these names. */
export function without(
  names: (settings: Pick<ProbeSettings, 'scheme'>) => readonly string[],
): NonNullable<Variant['change']> {
  return ({ headers }, settings) => {
    const left = names(settings)
    return { headers: headers.filter(([name]) => !left.includes(name.toLowerCase())) }
  }
}

/** A change of each signature in the header. */
export function signedAs(
  change: (digest: string, value: SchemeValue) => string,
): NonNullable<Variant['change']> {
  return ({ headers }, { scheme }) => {
    const value = schemeValueOf(scheme)
    if (!value) return {}
    return {
      headers: headers.map(([name, text]) =>
        namesOf(value.signature).includes(name.toLowerCase())
          ? [name, withDigests(value, text, (digest) => change(digest, value))]
          : [name, text],
      ),
    }
  }
}
