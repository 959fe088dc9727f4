import { withTimeout } from '../async/timeout.ts'
import { type Acceptance, requestInfo, runHook } from '../hooks.ts'
import type { ResolvedOptions } from '../options.ts'
import type { SchemaIssues } from '../parse/schema.ts'
import { createKeeper, isQuarantined } from '../quarantine.ts'
import { Refusal } from '../reject/refusal.ts'
import { createStderrReport } from '../reject/report.ts'
import { toWebhookError } from '../reject/to-webhook-error.ts'
import type { Sender } from '../request/incoming.ts'
import { fingerprintOf } from '../verify/fingerprint.ts'
import type { HeaderLookup } from '../verify/headers.ts'
import type { SecretKey } from '../verify/secret.ts'
import { createDiagnoser } from './diagnosis-rate.ts'

/** What a receiver knows of a request so far. */
export interface RequestState {
  /** When the request came, in milliseconds of `performance.now`. */
  readonly since: number
  keys: readonly SecretKey[]
  rawBody?: Uint8Array
  /** What was verified: the signature, then the timestamp as well. */
  verified?: 'authentic' | 'fresh'
}

type Accepted = Pick<Acceptance, 'id' | 'event' | 'known'>

/** Calls the hooks of a receiver. */
export interface Notifier {
  /** Calls `onAccepted`. */
  accepted(delivery: Accepted, sender: Sender, key: SecretKey, state: RequestState): Promise<void>
  /**
   * Calls `onUnprocessable` and `onRejected`. Resolves to the WebhookError to answer with; what is neither a refusal
   * nor a WebhookError is returned as it is.
   */
  rejected(thrown: unknown, sender: Sender, state: RequestState): Promise<unknown>
}

export function createNotifier(options: ResolvedOptions): Notifier {
  const { now, callbackTimeout, onAccepted, onUnprocessable } = options
  const { onRejected = createStderrReport(now) } = options
  const diagnose = createDiagnoser(options)
  const keep = options.quarantine && createKeeper(options.quarantine, callbackTimeout, now)

  return {
    async accepted({ id, event, known }, sender, key, { since }) {
      const secret = await fingerprintOf(key)
      const acceptance = () =>
        Object.assign(requestInfo(sender, now(), since), { id, event, known, secret })
      // The hook is called before the delivery is passed on, and not waited for.
      void runHook('onAccepted', onAccepted, acceptance)
    },

    async rejected(thrown, sender, { keys, rawBody, verified, since }) {
      const secrets = await Promise.all(keys.map(fingerprintOf))
      const refusal = toWebhookError(thrown, secrets)
      if (!refusal) return thrown
      const header: HeaderLookup = (name) => sender.header(name)
      const { method } = sender
      const authentic = verified !== undefined
      const { reason, status } = refusal
      const quarantined =
        keep && rawBody && isQuarantined(reason)
          ? await keep(() => ({
              ...{ at: now(), reason, status, authentic, method, rawBody, secrets, keys },
              headers: sender.headers?.() ?? Object.entries(signedHeaders(header)),
              remote: sender.remote?.() ?? {},
            }))
          : undefined
      const diagnosed = await diagnose(refusal, { header, keys, rawBody })
      const error = diagnosed?.error ?? refusal
      if (onUnprocessable && verified === 'fresh' && rawBody) {
        const headers = signedHeaders(header)
        const issues = issuesOf(thrown)
        const unprocessable = () => ({ rawBody, headers, error, issues })
        const kept = runHook('onUnprocessable', onUnprocessable, unprocessable)
        // runHook itself never rejects.
        await withTimeout(callbackTimeout, kept, () => undefined).catch(() => {
          console.error(
            `[webhook-receiver] onUnprocessable had not finished after ${callbackTimeout} s. The answer was sent without waiting for it. ` +
              'Make it faster, or raise the `callbackTimeout` option.',
          )
        })
      }
      if (onRejected !== false) {
        const { code, detail, cause } = error
        const found = { reason, status, code, detail, cause, authentic, secrets }
        const kept = quarantined === undefined ? undefined : { quarantined }
        const diagnosis = diagnosed?.diagnosis && { diagnosis: diagnosed.diagnosis }
        // Spreading one object behind another takes Node 20 five microseconds.
        void runHook('onRejected', onRejected, () =>
          Object.assign(requestInfo(sender, now(), since), found, kept, diagnosis),
        )
      }
      return error
    },
  }
}

function issuesOf(thrown: unknown): SchemaIssues | undefined {
  if (!(thrown instanceof Refusal) || !thrown.details) return undefined
  return 'issues' in thrown.details ? thrown.details.issues : undefined
}

const SIGNED_HEADERS = [
  'x-webhook-id',
  'x-webhook-timestamp',
  'x-webhook-signature',
  'content-type',
]

function signedHeaders(header: HeaderLookup): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const name of SIGNED_HEADERS) {
    const value = header(name)
    if (value) headers[name] = value
  }
  return headers
}
