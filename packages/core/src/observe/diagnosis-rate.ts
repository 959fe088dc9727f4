import type { ResolvedOptions } from '../options.ts'
import type { Finding } from '../reject/diagnosis.ts'
import { printError } from '../reject/print-error.ts'
import type { WebhookError } from '../reject/webhook-error.ts'
import type { HeaderLookup } from '../verify/headers.ts'
import type { SecretKey } from '../verify/secret.ts'
import { type DiagnosedError, withDiagnosis, withoutDiagnosis } from './diagnosed-error.ts'
import { isPackageMissing, printInstallation } from './missing-package.ts'

/** The least time between the starts of two diagnoses of a receiver, in milliseconds: a forged request must stay cheap. */
const INTERVAL = 1000

/** What is known of a request that was refused. */
interface RefusedRequest {
  readonly header: HeaderLookup
  readonly keys: readonly SecretKey[]
  /** The body, where it was read. */
  readonly rawBody: Uint8Array | undefined
}

/** Adds a diagnosis to a refusal, or says why there is none; `undefined` where nothing is to be added. Never throws. */
export type Diagnoser = (
  error: WebhookError,
  refused: RefusedRequest,
) => Promise<DiagnosedError | undefined>

/**
 * Makes the diagnoser of a receiver. `@webhook-receiver/diagnose` is loaded when it is first needed, and is the only thing
 * that is loaded for an answer: a load can fail while a process runs. Here that changes nothing, and the next diagnosis
 * tries again.
 */
export function createDiagnoser({
  diagnose: on,
  now,
}: Pick<ResolvedOptions, 'diagnose' | 'now'>): Diagnoser {
  let last = Number.NEGATIVE_INFINITY
  let failing = false
  let running = false
  let found: Finding | undefined

  async function attempt(
    error: WebhookError,
    { header: headers, keys, rawBody: body }: RefusedRequest,
  ): Promise<DiagnosedError | undefined> {
    try {
      // Directly inside `try`: bundlers then let the package be absent.
      const { diagnose } = await import('@webhook-receiver/diagnose')
      const diagnosis = await diagnose({ headers, body, secrets: secretsOf(keys) })
      failing = false
      return withDiagnosis(error, diagnosis)
    } catch (cause) {
      if (isPackageMissing(cause)) printInstallation(on === true)
      // Once, until one succeeds: what fails now may fail for every request of a flood.
      else if (!failing) {
        printError('[webhook-receiver] The diagnosis failed. The answer does not change.', cause)
      }
      failing = true
      return undefined
    }
  }

  return async (error, refused) => {
    if (!on) return undefined
    // Of a malformed signature only the headers are looked at, which costs no MAC.
    if (error.reason === 'signature_malformed') return attempt(error, refused)
    if (error.reason !== 'signature_mismatch') return undefined
    const time = now()
    // The second test is for a clock that was set back; one that answers NaN gets no diagnosis.
    const due = time - last >= INTERVAL || time < last
    if (running || !due) return failing ? undefined : withoutDiagnosis(error, running, found)
    last = time
    running = true
    const diagnosed = await attempt(error, refused)
    running = false
    found = diagnosed?.diagnosis?.[0]
    return diagnosed
  }
}

function secretsOf(keys: readonly SecretKey[]): string | Readonly<Record<string, string>> {
  const [only] = keys
  if (only && only.name === undefined) return only.reveal()
  return Object.fromEntries(keys.map(({ name = '', reveal }) => [name, reveal()]))
}
