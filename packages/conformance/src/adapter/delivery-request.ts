import { createHmac } from 'node:crypto'
import { CONTRACT_HEADERS } from '@webhook-receiver/core/internal'
import type { AdapterSetup } from './adapter.ts'

/** A request in its two parts, which a client may send apart. */
export interface DeliveryRequest {
  /** Those of a request without a fault. */
  readonly headers: Readonly<Record<string, string>>
  /** The request line and the headers as they are sent. */
  readonly head: string
  readonly body: Buffer
}

/** What is wrong with a request. */
export interface RequestFault {
  readonly method?: string
  /** In place of the header of that name; `undefined` leaves it out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Seconds between the timestamp, which is signed, and the receiver's clock. */
  readonly skew?: number
  readonly timestamp?: string
  /** Signed in place of a delivery. */
  readonly body?: Buffer
  /** Sent in place of what was signed. */
  readonly sent?: Buffer
  /** What the delivery holds, as `data.data`. */
  readonly content?: Readonly<Record<string, unknown>>
}

/** A delivery with the given id as a request, signed, but for its fault. */
export function deliveryRequest(
  { secret, now, path }: Pick<AdapterSetup, 'secret' | 'now' | 'path'>,
  id: string,
  fault: RequestFault = {},
): DeliveryRequest {
  const at = new Date(now()).toISOString()
  const event = 'message.received'
  const data = { instance_id: 'misbehaving', event, data: fault.content ?? {}, timestamp: at }
  const signed = fault.body ?? Buffer.from(JSON.stringify({ id, event, created_at: at, data }))
  const timestamp = fault.timestamp ?? String(Math.floor(now() / 1000) + (fault.skew ?? 0))
  const signature = createHmac('sha256', secret)
    .update(`${timestamp}.`)
    .update(signed)
    .digest('hex')
  const body = fault.sent ?? signed
  const headers = {
    Host: 'localhost',
    'Content-Type': 'application/json',
    [CONTRACT_HEADERS.timestamp]: timestamp,
    [CONTRACT_HEADERS.signature]: `sha256=${signature}`,
    'Content-Length': String(body.length),
  }
  const lines = Object.entries({ ...headers, ...fault.headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  )
  const head = `${fault.method ?? 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
  return { headers, head, body }
}

/** The bytes of several requests, to be sent in one write. */
export function concatRequests(...requests: readonly DeliveryRequest[]): Buffer {
  return Buffer.concat(requests.flatMap(({ head, body }) => [Buffer.from(head), body]))
}
