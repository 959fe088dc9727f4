import { createHmac } from 'node:crypto'
import type { DiagnosisInput } from '../src/index.ts'
import written from './written.json' with { type: 'json' }

export const SECRET: string = written.secret
export const TIMESTAMP: string = written.timestamp
export const ID = 'del_7f3a'
/** The instant of `TIMESTAMP`, in milliseconds. */
export const INSTANT: number = Number(TIMESTAMP) * 1000
/** The body that Python wrote without white space. */
export const BODY: string = written.bodies.compact.body
export const { bodies } = written

type Bytes = string | Uint8Array

/** A digest by node:crypto, whatever of it the caller wants. */
export function digest(message: readonly Bytes[], key: Bytes = SECRET, hash = 'sha256'): Buffer {
  const hmac = createHmac(hash, key)
  for (const part of message) hmac.update(part)
  return hmac.digest()
}

export interface Produced {
  /** What was signed; unless stated, the body behind timestamp and dot. */
  readonly signed?: readonly Bytes[]
  /** What was signed in place of the body. */
  readonly signedBody?: Bytes
  readonly key?: Bytes
  /** What came. */
  readonly body?: Bytes
  readonly timestamp?: string | undefined
  /** The header, of the digest. */
  readonly header?: (mac: Buffer) => string
  readonly headers?: Readonly<Record<string, string>>
  readonly input?: Partial<DiagnosisInput>
}

/** A request, signed for real in some wrong way. */
export function produced(fault: Produced = {}): DiagnosisInput & { readonly body: Uint8Array } {
  const { body = BODY, timestamp = 'timestamp' in fault ? undefined : TIMESTAMP } = fault
  const { header = (mac) => `sha256=${mac.toString('hex')}` } = fault
  const signed = fault.signed ?? [`${timestamp ?? TIMESTAMP}.`, fault.signedBody ?? body]
  return {
    headers: {
      'Content-Type': 'application/json',
      'X-Webhook-Id': ID,
      ...(timestamp !== undefined && { 'X-Webhook-Timestamp': timestamp }),
      'X-Webhook-Signature': header(digest(signed, fault.key)),
      ...fault.headers,
    },
    secrets: SECRET,
    ...fault.input,
    body: Uint8Array.from(Buffer.from(body)),
  }
}
