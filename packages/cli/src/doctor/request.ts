import type { VectorRequest, VectorSend } from '@webhook-receiver/conformance/internal'
import type { Scheme, SignableParts } from '@webhook-receiver/core'
import { publicUrlOf } from '@webhook-receiver/core/internal'
import { otherSecret } from '@webhook-receiver/core/testing'
import { type Header, headerValue, receiverSecret } from '@webhook-receiver/emulator/internal'
import {
  type KeyForm,
  namesOf,
  type SchemeValue,
  type Sent,
  schemeValueOf,
  signWrong,
} from '@webhook-receiver/schemes/neighbours'
import type { ChosenScheme } from '../options/index.ts'
import type { JsonFormat } from './probes/json-format.ts'

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

/** Makes the requests of a probe: each a valid delivery, except for what its variant changes. */
export type MakeRequests = (variants: readonly Variant[]) => Promise<readonly ProbeRequest[]>

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
  /** The headers in which all services send their signatures. */
  readonly otherHeaders: readonly string[]
  /** How the service signs by a shared secret, where this receiver has a public key. */
  readonly shared: KeyForm | undefined
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
  /** Signed by a shared secret that is the public key. Where the service has none, nothing is sent. */
  readonly byPublicKey?: (publicKey: string) => Uint8Array<ArrayBuffer>
  /** By what else it is signed: a neighbour of what the service does. Where there is none, nothing is sent. */
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
    settings: Pick<ProbeSettings, 'scheme' | 'now' | 'otherHeaders'>,
  ) => Partial<ProbeRequest>
}

/** The instance of all probes, so that an operator recognises them. */
export const INSTANCE = 'webhook_receiver_doctor'

/** A delivery for each variant: as the service signs it, but for what the variant changes. */
export async function probeRequests(
  settings: ProbeSettings,
  variants: readonly Variant[],
): Promise<readonly ProbeRequest[]> {
  const made = await Promise.all(variants.map((variant) => probeRequest(settings, variant)))
  return made.filter((request) => request !== undefined)
}

async function probeRequest(
  settings: ProbeSettings,
  variant: Variant,
): Promise<ProbeRequest | undefined> {
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
  if (!signed) return undefined
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

/** The headers of the service, with what a neighbour writes in another way where the variant is signed by one. */
async function signedHeaders(
  { scheme, secret, shared }: ProbeSettings,
  { secret: other = secret, key, byPublicKey, neighbour }: Variant,
  body: Buffer,
  parts: SignableParts,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (!scheme.sign) throw new TypeError(`Only ${scheme.name} itself can sign its deliveries.`)
  if (byPublicKey && !shared) return undefined
  const bytes = byPublicKey ? byPublicKey(receiverSecret(scheme, secret)) : key
  const imported = async (by: Scheme, one: string) => by.importKey(one, 'The secret', 'sign')
  const keyOf = async (by: Scheme) =>
    (bytes && (await by.importBytes?.(bytes))) ??
    imported(by, other).catch(async () => imported(by, await otherSecret(secret)))
  if (byPublicKey && shared) {
    return signWrong(scheme, (value) => ({ ...value, keys: [shared] }), keyOf, body, parts)
  }
  if (neighbour) return signWrong(scheme, neighbour, keyOf, body, parts)
  // The default format makes no key of bytes; its value does.
  if (bytes) return signWrong(scheme, (value) => value, keyOf, body, parts)
  return scheme.sign(await keyOf(scheme), body, parts)
}
