import { withTimeoutIfAsync } from './async/timeout.ts'
import type { SecretFingerprint } from './reject/details.ts'
import { printError } from './reject/print-error.ts'
import type { Reason, Status } from './reject/reasons.ts'
import type { Incoming, RemoteFacts } from './request/incoming.ts'

/** A rejected request that may be genuine: the receiver may have a wrong secret, a wrong clock or an old schema. */
export interface QuarantineRecord {
  /** When it was rejected, in milliseconds since the epoch, by the receiver's clock. */
  readonly at: number
  readonly reason: Reason
  readonly status: Status
  /** Whether the signature is valid. If not, anybody could have sent the request. */
  readonly authentic: boolean
  readonly method: string
  /** Names and values as received. If the adapter does not know all headers, those that are needed to verify the request. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as received. */
  readonly rawBody: Uint8Array
  readonly remote: RemoteFacts
  /** The names and fingerprints of the secrets that were tried. */
  readonly secrets: readonly SecretFingerprint[]
  /** One object for each secret that was tried. A secret has the same object in each request. The object has no content. */
  readonly keys: readonly object[]
}

/** What a quarantine gets for each accepted delivery, to recognise senders of genuine ones. */
export interface QuarantineAcceptance {
  /** The object in `keys` that stands for the secret that matched. */
  readonly key: object
  /** The signed `data.instance_id`. */
  readonly instanceId: string
  /** Returns what is known of the sender. Computed only when it is called. */
  remote(): RemoteFacts
}

/** Keeps rejected requests that may be genuine, such as `folderQuarantine` of `@webhook-receiver/quarantine`. */
export interface Quarantine {
  /** Called for each accepted delivery, before your handler, so it must be fast. If it throws an error, nothing changes. */
  accepted(acceptance: QuarantineAcceptance): void
  /** Keeps a request. Returns `false` if it does not keep it. The answer waits for this, up to `callbackTimeout`. */
  keep(record: QuarantineRecord): boolean | Promise<boolean>
}

/** The reasons that a receiver can be to blame for, and behind which the whole body is known. */
const KEPT: ReadonlySet<Reason> = new Set<Reason>([
  'signature_mismatch',
  'timestamp_unreadable',
  'timestamp_too_old',
  'timestamp_in_future',
  'body_not_utf8',
  'body_not_json',
  'body_too_deep',
  'envelope_invalid',
  'schema_mismatch',
  'schema_refused',
  'schema_failed',
])

/** Whether a quarantine is asked to keep what is rejected for this reason. */
export function isQuarantined(reason: Reason): boolean {
  return KEPT.has(reason)
}

/** Tells a quarantine of an accepted delivery. Never throws. */
export function noteAccepted(
  quarantine: Quarantine,
  key: object,
  instanceId: string,
  incoming: Pick<Incoming<unknown>, 'remote'>,
): void {
  try {
    quarantine.accepted({ key, instanceId, remote: () => incoming.remote?.() ?? {} })
  } catch {
    // It only makes a later guess better.
  }
}

/** A failure is printed so often at most, in milliseconds: what fails now may fail for each request of a flood. */
const PRINT_EVERY = 60_000

/** Keeps records for up to `seconds` each. What fails is printed, and changes no answer. */
export function createKeeper(
  quarantine: Quarantine,
  seconds: number,
  now: () => number,
): (record: () => QuarantineRecord) => Promise<boolean> {
  let printed = Number.NEGATIVE_INFINITY
  return async (record) => {
    try {
      const late = () => new Error(`It had not finished after ${seconds} s.`)
      return (await withTimeoutIfAsync(seconds, quarantine.keep(record()), late)) === true
    } catch (error) {
      const time = now()
      // In both directions, for a clock that was set back.
      if (!(Math.abs(time - printed) < PRINT_EVERY)) {
        printed = time
        printError('[webhook-receiver] The quarantine failed. The answer does not change.', error)
      }
      return false
    }
  }
}
