import type { HandlingStep } from '../handling/steps.ts'
import type { StoreCall } from '../handling/store-call.ts'
import type { Acceptance, Rejection } from '../hooks.ts'
import type { SecretFingerprint } from '../reject/details.ts'

/** A message of `received`. No message contains a body, a secret, a signature or an address. */
export interface ReceivedMessage
  extends Pick<Acceptance, 'at' | 'duration' | 'age' | 'skew' | 'id' | 'event' | 'known'> {
  /** The name that was given to `receiverDiagnostics`. */
  readonly endpoint: string
  /** The secret that matched: its name, and the first 8 hexadecimal digits of its SHA-256. */
  readonly secret: SecretFingerprint
}

/** A message of `rejected`. If `authentic` is false, the sender can choose `age` and `skew` freely. */
export interface RejectedMessage
  extends Pick<
    Rejection,
    'at' | 'duration' | 'age' | 'skew' | 'reason' | 'status' | 'authentic' | 'secrets'
  > {
  /** The name that was given to `receiverDiagnostics`. */
  readonly endpoint: string
}

/** A message of `claimed`, `duplicate`, `completed`, `failed` or `ignored`. */
export interface HandlingMessage
  extends Pick<HandlingStep, 'at' | 'duration' | 'endpoint' | 'id' | 'event' | 'known' | 'reason'> {
  /** The name of the error that was thrown, such as 'TypeError'. Its message may quote the delivery. */
  readonly errorName: string | undefined
}

/** A message of `store`. */
export interface StoreMessage
  extends Pick<StoreCall, 'at' | 'duration' | 'endpoint' | 'operation' | 'result'> {
  /** The name of the error that the store rejected with. */
  readonly errorName: string | undefined
}
