import { createHmac } from 'node:crypto'
import type { VectorRequest, VectorSend } from '@webhook-receiver/conformance/client'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { type Header, withHeader } from '@webhook-receiver/emulator/request'
import { compact, type JsonFormat } from './json-format.ts'

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
export interface ProbeSettings {
  readonly secret: string
  readonly event: string
  /** What `data.data` holds. */
  readonly data: Readonly<Record<string, unknown>>
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

/** A delivery of the contract. */
export function deliveryRequest(settings: ProbeSettings, variant: Variant = {}): ProbeRequest {
  const { format = compact, event = settings.event, secret = settings.secret, change } = variant
  const text = variant.large ? 'x'.repeat(settings.oversize) : variant.text
  const data = text === undefined ? settings.data : { ...settings.data, text }
  const content = sampleDelivery(event, { data, instanceId: INSTANCE, now: settings.now })
  const body = Buffer.from(format(content))
  const timestamp = variant.timestamp ?? unixSeconds(settings, variant.ahead)
  const request: ProbeRequest = {
    id: content.id,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Webhook-Id', variant.webhookId ?? content.id],
      [TIMESTAMP, timestamp],
      ...(variant.unsigned ? [] : [[SIGNATURE, signature(secret, `${timestamp}.`, body)] as const]),
    ],
    body,
  }
  return { ...request, ...change?.(request, settings) }
}

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
