import type { VectorRequest, VectorSend } from '@webhook-receiver/conformance/client'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { compact, type JsonFormat } from './json-format.ts'
import { signature } from './signature.ts'

/** One request of a probe. */
export interface ProbeRequest {
  /** The `id` in its body, which the observer is asked for; empty if there is none. */
  readonly id: string
  readonly method?: string
  readonly headers: readonly Header[]
  readonly body: Buffer
  /** @default 'content-length' */
  readonly framing?: VectorRequest['framing']
  readonly send?: VectorSend
}

type Header = readonly [name: string, value: string]

/** What the requests of a run have in common. */
export interface ProbeSettings {
  readonly secret: string
  readonly event: string
  /** What `data.data` holds. */
  readonly data: Readonly<Record<string, unknown>>
  /** A size that the receiver should refuse, in bytes. */
  readonly oversize: number
  /** The clock: milliseconds since the epoch. */
  readonly now: () => number
}

export interface DeliveryOptions {
  readonly format?: JsonFormat
  /** Added to `data.data` as `text`. */
  readonly text?: string
  readonly event?: string
  readonly secret?: string
  /** @default the Unix seconds of the clock */
  readonly timestamp?: string
  /** @default the body's id */
  readonly webhookId?: string
}

/** A genuine delivery, except for what the options change. */
export function deliveryRequest(
  settings: ProbeSettings,
  options: DeliveryOptions = {},
): ProbeRequest {
  const { format = compact, text, event = settings.event } = options
  const data = text === undefined ? settings.data : { ...settings.data, text }
  const content = sampleDelivery(event, { data, instanceId: INSTANCE, now: settings.now })
  const body = Buffer.from(format(content))
  return signedRequest(settings, body, { webhookId: content.id, ...options })
}

/** A request with any signed bytes. */
export function signedRequest(
  settings: ProbeSettings,
  body: Buffer,
  options: DeliveryOptions = {},
): ProbeRequest {
  const { secret = settings.secret, timestamp = unixSeconds(settings), webhookId = '' } = options
  const id = /"id": ?"([\da-f-]{36})"/.exec(body.toString('latin1'))?.[1] ?? webhookId
  return {
    id,
    headers: [
      ['Content-Type', 'application/json'],
      ...(webhookId === '' ? [] : [['X-Webhook-Id', webhookId] as const]),
      ['X-Webhook-Timestamp', timestamp],
      [SIGNATURE, signature(secret, timestamp, body)],
    ],
    body,
  }
}

export const SIGNATURE = 'X-Webhook-Signature'

/** The instance of all probes, so that an operator recognises them. */
export const INSTANCE = 'webhook_receiver_doctor'

export function unixSeconds(settings: ProbeSettings, ahead = 0): string {
  return String(Math.floor(settings.now() / 1000) + ahead)
}

export function withoutHeader(request: ProbeRequest, name: string): ProbeRequest {
  return { ...request, headers: request.headers.filter(([other]) => other !== name) }
}

/** The request with the value of one header changed. */
export function withHeader(
  request: ProbeRequest,
  name: string,
  change: (value: string) => string,
): ProbeRequest {
  const headers = request.headers.map(([other, value]): Header => {
    return [other, other === name ? change(value) : value]
  })
  return { ...request, headers }
}
