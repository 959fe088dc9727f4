import { ignore, withTimeoutIfAsync } from './async/timeout.ts'
import { printError } from './reject/print-error.ts'
import type { Reason, SecretFingerprint, Status } from './reject/reasons.ts'
import type { Incoming } from './request/incoming.ts'

/** A rejected request whose rejection may be the receiver's own mistake: a wrong secret, a wrong clock or an old schema. */
export interface QuarantineRecord {
  /** When it was rejected, in milliseconds since the epoch, by the receiver's clock. */
  readonly at: number
  /** The name of the endpoint that received it. */
  readonly endpoint: string
  /** Whether the receiver names a tenant for each delivery: its option `endpoint` is a function. Then the name is without the tenant's. */
  readonly perTenant: boolean
  readonly reason: Reason
  readonly status: Status
  /** Whether the signature is valid. If not, anybody could have sent the request. */
  readonly signatureValid: boolean
  /** When it was signed, in milliseconds since the epoch. `undefined` if the signature is invalid, or its time is unreadable. */
  readonly signedAt: number | undefined
  readonly method: string
  /** The path and query as requested. */
  readonly target: string | undefined
  /** The headers that are needed to verify the request, and Content-Type. Names are in lower case, values as received. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as received. */
  readonly rawBody: Uint8Array
  /** The sender's address, if the adapter knows it. */
  readonly address: string | undefined
  /** The names and fingerprints of the secrets that were tried. */
  readonly secrets: readonly SecretFingerprint[]
}

/** Keeps rejected requests, such as `folderQuarantine` of `@webhook-receiver/quarantine`. */
export interface Quarantine {
  /** Called for each accepted delivery, before your handler, so it must be fast. If it throws an error, nothing changes. */
  accepted(delivery: { readonly address: string | undefined }): void
  /** Keeps a request. Returns `false` if it does not keep it. The response waits for this, up to `callbackTimeout`. */
  keep(record: QuarantineRecord): boolean | Promise<boolean>
}

/** Notes the sender of an accepted delivery. Never throws. */
export function noteAccepted(
  quarantine: Quarantine,
  incoming: Pick<Incoming<unknown>, 'remote'>,
): void {
  try {
    // An async function fits the type, too.
    ignore(quarantine.accepted({ address: incoming.remote?.().address }))
  } catch {
    // It only makes a later guess worse.
  }
}

/** A failure is printed so often at most, in milliseconds: what fails now may fail for each request of a flood. */
const PRINT_EVERY = 60_000

/** Keeps records for up to `seconds` each. A failure is printed and does not change the response. */
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
        printError('[webhook-receiver] The quarantine failed. The response does not change.', error)
      }
      return false
    }
  }
}
