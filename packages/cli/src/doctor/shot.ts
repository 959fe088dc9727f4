import type { VectorRequest, VectorSend } from '@webhook-receiver/conformance/client'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { signature } from './signature.ts'
import { compact, type Spelling } from './spelling.ts'

/** One request of a probe. */
export interface Shot {
  /** The `id` in its body, by which an effect is looked up; empty where it has none. */
  readonly id: string
  readonly method?: string
  readonly headers: readonly Header[]
  readonly body: Buffer
  /** @default 'content-length' */
  readonly framing?: VectorRequest['framing']
  readonly send?: VectorSend
}

type Header = readonly [name: string, value: string]

/** What deliveries are made of. */
export interface Source {
  readonly secret: string
  readonly event: string
  /** What `data.data` holds. */
  readonly data: Readonly<Record<string, unknown>>
  /** How large a body is that no receiver should take, in bytes. */
  readonly oversize: number
  /** The clock: milliseconds since the epoch. */
  readonly now: () => number
}

export interface Draft {
  readonly spelling?: Spelling
  /** What `data.data` holds besides what it always does. */
  readonly text?: string
  readonly event?: string
  readonly secret?: string
  /** @default the Unix seconds of the clock */
  readonly timestamp?: string
  /** @default the body's id */
  readonly webhookId?: string
}

/** A delivery that is genuine, but for what the draft says. */
export function delivery(source: Source, draft: Draft = {}): Shot {
  const { spelling = compact, text, event = source.event } = draft
  const data = text === undefined ? source.data : { ...source.data, text }
  const content = sampleDelivery(event, { data, instanceId: INSTANCE, now: source.now })
  const body = Buffer.from(spelling(content))
  return signed(source, body, { webhookId: content.id, ...draft })
}

/** Whatever bytes, signed. */
export function signed(source: Source, body: Buffer, draft: Draft = {}): Shot {
  const { secret = source.secret, timestamp = seconds(source), webhookId = '' } = draft
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

/** The instance that all probes name, so that an operator recognises them. */
export const INSTANCE = 'webhook_receiver_doctor'

export function seconds(source: Source, ahead = 0): string {
  return String(Math.floor(source.now() / 1000) + ahead)
}

export function without(shot: Shot, name: string): Shot {
  return { ...shot, headers: shot.headers.filter(([other]) => other !== name) }
}

/** The shot with another value in one header. */
export function changed(shot: Shot, name: string, change: (value: string) => string): Shot {
  const headers = shot.headers.map(([other, value]): Header => {
    return [other, other === name ? change(value) : value]
  })
  return { ...shot, headers }
}
