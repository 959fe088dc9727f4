import { createHmac } from 'node:crypto'
import type { VectorRequest, VectorSend } from '@webhook-receiver/conformance/internal'
import { publicUrlOf } from '@webhook-receiver/core/internal'
import { otherSecret } from '@webhook-receiver/core/testing'
import { type Header, headerValue, withHeader } from '@webhook-receiver/emulator/internal'
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
    settings: Pick<ProbeSettings, 'secret' | 'now'>,
  ) => Partial<ProbeRequest>
}

export const SIGNATURE = 'X-Webhook-Signature'
export const TIMESTAMP = 'X-Webhook-Timestamp'

/** The instance of all probes, so that an operator recognises them. */
export const INSTANCE = 'webhook_receiver_doctor'

/** A delivery as the service signs it. */
export async function probeRequest(
  settings: ProbeSettings,
  variant: Variant = {},
): Promise<ProbeRequest> {
  const { scheme, publicUrl, url, secret, event, data, oversize, now } = settings
  const { compose, instanceOf, places, sign, sample } = scheme
  if (!sign) throw new TypeError(`Only ${scheme.name} itself can sign its deliveries.`)
  const id = crypto.randomUUID()
  const text = variant.large ? 'x'.repeat(oversize) : variant.text
  const parts = {
    ...{ id, event: variant.event ?? event, time: now() + (variant.ahead ?? 0) * 1000 },
    ...{ timestamp: variant.timestamp, instance: INSTANCE },
    url: publicUrlOf(publicUrl ?? url.origin, `${url.pathname}${url.search}`),
  }
  const content = {
    ...(instanceOf ? (data ?? sample?.(parts.event)) : { text: INSTANCE, ...data }),
    ...(text !== undefined && { text }),
  }
  const composed = Buffer.from(compose?.(content, parts) ?? JSON.stringify(content))
  const body = variant.format
    ? Buffer.from(variant.format(JSON.parse(composed.toString())))
    : composed
  const imported = async (one: string) => scheme.importKey(one, 'The secret')
  const key = await imported(variant.secret ?? secret).catch(() => imported(otherSecret(secret)))
  const signed = await sign(key, body, { ...parts, id: variant.webhookId ?? id })
  const left = variant.unsigned ? (places ? [places.signature.toLowerCase()] : scheme.headers) : []
  const headers = Object.entries(signed).filter(([name]) => !left.includes(name.toLowerCase()))
  const request: ProbeRequest = {
    id,
    headers: headerValue(headers, TYPE[0]) === undefined ? [TYPE, ...headers] : headers,
    body,
  }
  return { ...request, ...variant.change?.(request, { secret, now }) }
}

const TYPE = ['content-type', 'application/json'] as const

/** A signature as the contract has it (section 5), if `start` is the timestamp and a full stop. */
export function signature(secret: string, start: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(start).update(body).digest('hex')}`
}

export function unixSeconds({ now }: Pick<ProbeSettings, 'now'>, ahead = 0): string {
  return String(Math.floor(now() / 1000) + ahead)
}

/** A change of one header. */
export function without(name: string): NonNullable<Variant['change']> {
  return ({ headers }) => ({ headers: headers.filter(([other]) => other !== name) })
}

/** A change of the signature. */
export function signedAs(change: (value: string) => string): NonNullable<Variant['change']> {
  return ({ headers }) => {
    const value = headers.find(([name]) => name === SIGNATURE)?.[1] ?? ''
    return { headers: withHeader(headers, SIGNATURE, change(value)) }
  }
}
