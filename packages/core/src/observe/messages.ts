import type { Acceptance, Rejection } from '../hooks.ts'
import type { SecretFingerprint } from '../reject/reasons.ts'
import { withKeyOf } from '../verify/late-key.ts'

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

/** What messages have of what hooks get. */
const OF_REQUEST = ['at', 'duration', 'age', 'skew', 'scheme'] as const
const OF_ACCEPTANCE = [...OF_REQUEST, 'tenant', 'id', 'event', 'known', 'secret'] as const
const OF_REJECTION = [
  ...OF_REQUEST,
  'reason',
  'status',
  'signatureValid',
  'proven',
  'secrets',
] as const

export function receivedMessage(acceptance: Acceptance, endpoint: string): ReceivedMessage {
  return withKeyOf(messageOf(acceptance, OF_ACCEPTANCE, endpoint), acceptance)
}

export function rejectedMessage(rejection: Rejection, endpoint: string): RejectedMessage {
  return messageOf(rejection, OF_REJECTION, endpoint)
}

function messageOf<From, Name extends keyof From>(
  from: From,
  names: readonly Name[],
  endpoint: string,
): Pick<From, Name> & { readonly endpoint: string } {
  // Each name is one of `From`.
  const picked = Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>
  return { ...picked, endpoint }
}
