import type { Acceptance, Rejection } from '../hooks.ts'
import type { SecretFingerprint } from '../reject/reasons.ts'

/** A message of `received`. No message contains a body, a secret, a signature or an address. */
export interface ReceivedMessage
  extends Pick<
    Acceptance,
    'at' | 'duration' | 'age' | 'skew' | 'scheme' | 'tenant' | 'id' | 'event' | 'key' | 'known'
  > {
  /** The `endpoint` option of the receiver. */
  readonly endpoint: string
  /** The secret that matched: its name, and the first 8 hexadecimal digits of its SHA-256. */
  readonly secret: SecretFingerprint
}

/** A message of `rejected`. If `signatureValid` is false, the sender can choose `age` and `skew` freely. */
export interface RejectedMessage
  extends Pick<
    Rejection,
    | 'at'
    | 'duration'
    | 'age'
    | 'skew'
    | 'scheme'
    | 'reason'
    | 'status'
    | 'signatureValid'
    | 'proven'
    | 'secrets'
  > {
  /** The `endpoint` option of the receiver. */
  readonly endpoint: string
}
