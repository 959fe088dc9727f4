import { within } from '../async/timeout.ts'
import { createDiagnoser } from '../diagnose/gate.ts'
import { type Acceptance, occasion, runHook } from '../hooks.ts'
import type { SettledOptions } from '../options.ts'
import type { SchemaIssues } from '../parse/schema.ts'
import { explain } from '../reject/explanation.ts'
import { Refusal } from '../reject/refusal.ts'
import { stderrReport } from '../reject/report.ts'
import { WebhookError } from '../reject/webhook-error.ts'
import type { Sender } from '../request/incoming.ts'
import { fingerprintOf } from '../verify/fingerprint.ts'
import type { HeaderLookup } from '../verify/headers.ts'
import type { SecretKey } from '../verify/secret.ts'

/** How far a receiver came with a request. */
export interface Trace {
  /** When the request came, in milliseconds of `performance.now`. */
  readonly since: number
  keys: readonly SecretKey[]
  rawBody?: Uint8Array
  /** What was found good: the signature, then the age as well. */
  verified?: 'authentic' | 'fresh'
}

type Accepted = Pick<Acceptance, 'id' | 'event' | 'known'>

/** What a receiver says of its verdicts, and to whom. */
export interface Reporter {
  /** Tells `onAccepted`. */
  accepted(delivery: Accepted, sender: Sender, key: SecretKey, trace: Trace): Promise<void>
  /** Makes the error of what was thrown and tells the hooks. Anything but a refusal comes back as it is. */
  refused(thrown: unknown, sender: Sender, trace: Trace): Promise<unknown>
}

/** Makes the reporter of a receiver. */
export function createReporter(options: SettledOptions): Reporter {
  const { now, callbackTimeout, onAccepted, onUnprocessable } = options
  const { onRejected = stderrReport(now) } = options
  const diagnose = createDiagnoser(options.diagnose, now)

  return {
    async accepted({ id, event, known }, sender, key, { since }) {
      const secret = await fingerprintOf(key)
      const acceptance = () =>
        Object.assign(occasion(sender, now(), since), { id, event, known, secret })
      // The hook is called before the delivery is handed on, and not waited for.
      void runHook('onAccepted', onAccepted, acceptance)
    },

    async refused(thrown, sender, { keys, rawBody, verified, since }) {
      const secrets = await Promise.all(keys.map(fingerprintOf))
      const refused = errorOf(thrown, secrets)
      if (!refused) return thrown
      const { header } = sender
      const diagnosed = await diagnose(refused, { header, keys, rawBody })
      const error = diagnosed?.error ?? refused
      if (onUnprocessable && verified === 'fresh' && rawBody) {
        const headers = signedHeaders(header)
        const issues = issuesOf(thrown)
        const unprocessable = () => ({ rawBody, headers, error, issues })
        const kept = runHook('onUnprocessable', onUnprocessable, unprocessable)
        // It never rejects by itself.
        await within(callbackTimeout, kept, () => undefined).catch(() => {
          console.error(
            `[webhook-receiver] onUnprocessable was not done after ${callbackTimeout} s; the answer does not wait longer. ` +
              'Make it faster, or raise the `callbackTimeout` option.',
          )
        })
      }
      if (onRejected !== false) {
        const { reason, status, code, detail, cause } = error
        const authentic = verified !== undefined
        const found = { reason, status, code, detail, cause, authentic, secrets }
        const diagnosis = diagnosed?.diagnosis && { diagnosis: diagnosed.diagnosis }
        // Spreading one object behind another takes Node 20 five microseconds.
        void runHook('onRejected', onRejected, () =>
          Object.assign(occasion(sender, now(), since), found, diagnosis),
        )
      }
      return error
    },
  }
}

function errorOf(
  thrown: unknown,
  secrets: Parameters<typeof explain>[1],
): WebhookError | undefined {
  if (thrown instanceof WebhookError) return thrown
  if (!(thrown instanceof Refusal)) return undefined
  const { reason, cause } = thrown
  const detail = detailOf(thrown, secrets)
  // The error drops its frames, and a refusal of what anybody may send should not pay for them.
  const limit = Reflect.get(Error, 'stackTraceLimit')
  Reflect.set(Error, 'stackTraceLimit', 0)
  const error = new WebhookError(reason, detail, cause === undefined ? {} : { cause })
  Reflect.set(Error, 'stackTraceLimit', limit)
  return error
}

/** A cause or an issue of the application's own making may throw when it is looked at. */
function detailOf(refusal: Refusal, secrets: Parameters<typeof explain>[1]): string {
  try {
    return explain(refusal, secrets)
  } catch {
    return `The reason is ${refusal.reason}. Nothing more can be said: what was thrown or found throws when it is looked at.`
  }
}

function issuesOf(thrown: unknown): SchemaIssues | undefined {
  if (!(thrown instanceof Refusal) || !thrown.grounds) return undefined
  return 'issues' in thrown.grounds ? thrown.grounds.issues : undefined
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
