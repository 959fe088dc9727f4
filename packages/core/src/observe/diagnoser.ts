import { withTimeoutIfAsync } from '../async/timeout.ts'
import { isContract } from '../contract/scheme.ts'
import { inDevelopment } from '../reject/environment.ts'
import { printError } from '../reject/print-error.ts'
import { late } from '../reject/reasons.ts'
import { addDetail, replaceDetail, type WebhookError } from '../reject/webhook-error.ts'
import type { ResolvedOptions } from '../settings.ts'
import type { Diagnose, Diagnosis, Finding } from '../verify/finding.ts'
import type { HeaderLookup } from '../verify/scheme.ts'
import type { SecretKey } from '../verify/secret.ts'

/** The least time between the starts of two diagnoses of a receiver, in milliseconds: a forged request must stay cheap. */
const INTERVAL = 1000

/** The time from one diagnosis to the next, for each part that the first took: whoever sends forged requests gets a tenth of the time. */
const PARTS = 10

/** What is known of a rejected request. */
interface RejectedRequest {
  readonly header: HeaderLookup
  readonly keys: readonly SecretKey[]
  readonly rawBody: Uint8Array | undefined
  readonly url: string | undefined
}

/** Adds a diagnosis to the detail of a rejection, or why there is none, and resolves to the diagnosis. Never rejects. */
export type Diagnoser = (
  error: WebhookError,
  request: RejectedRequest,
) => Promise<Diagnosis | undefined>

type DiagnoserOptions = Pick<ResolvedOptions, 'diagnose' | 'scheme' | 'now' | 'callbackTimeout'>

export function createDiagnoser({
  diagnose,
  scheme,
  now,
  callbackTimeout: seconds,
}: DiagnoserOptions): Diagnoser {
  let last = Number.NEGATIVE_INFINITY
  let interval = INTERVAL
  let failing = false
  let running = false
  let found: Finding | undefined
  const hint = inDevelopment() ? INSTALLATION : undefined
  // The default of a diagnosis is the default format with all that tools need.
  const given = isContract(scheme) ? undefined : scheme

  async function attempt(
    work: Diagnose,
    error: WebhookError,
    { header: headers, keys, rawBody: body, url }: RejectedRequest,
  ): Promise<Diagnosis | undefined> {
    try {
      const working = work({ headers, body, secrets: secretsOf(keys), scheme: given, url })
      const tooLate = () => new Error(`It ${late(seconds)}.`)
      const diagnosis = await withTimeoutIfAsync(seconds, working, tooLate)
      tell(error, diagnosis[0])
      failing = false
      return diagnosis
    } catch (cause) {
      // Once, until one succeeds: what fails now may fail for every request of a flood.
      if (!failing)
        printError('[webhook-receiver] The diagnosis failed. The response does not change.', cause)
      failing = true
      return undefined
    }
  }

  return async (error, request) => {
    const { reason } = error
    if (reason !== 'signature_malformed' && reason !== 'signature_mismatch') return undefined
    if (!diagnose) {
      if (hint !== undefined) addDetail(error, hint)
      return undefined
    }
    // Of a malformed signature only the headers are looked at, which costs no MAC.
    if (reason === 'signature_malformed') return attempt(diagnose, error, request)
    const time = now()
    // The second test is for a clock that was set back; one that returns NaN gets no diagnosis.
    const due = time - last >= interval || time < last
    if (running || !due) {
      if (!failing) addDetail(error, whyNone(running, found))
      return undefined
    }
    last = time
    running = true
    const diagnosis = await attempt(diagnose, error, request)
    running = false
    interval = Math.max(INTERVAL, PARTS * (now() - time))
    found = diagnosis?.[0]
    return diagnosis
  }
}

const INSTALLATION = 'To see the cause, install @webhook-receiver/diagnose and pass { diagnose }.'

/** A certain cause is the whole detail: it refutes every guess. */
function tell(error: WebhookError, { code, certainty, message, fix, secretName }: Finding): void {
  const by =
    secretName === undefined ? '' : ` It is the secret named ${JSON.stringify(secretName)}.`
  // What compares secrets is said already.
  const found = code === 'unknown' ? 'No known mistake explains it.' : `${message} ${fix}${by}`
  const told = `${found} (diagnosis: ${code})`
  if (certainty === 'certain') replaceDetail(error, told)
  else addDetail(error, told)
}

function whyNone(running: boolean, last: Finding | undefined): string {
  const known = running ? 'another one is now' : `the last one found ${last?.code ?? 'none'}`
  return `One request a second is diagnosed: ${known}.`
}

function secretsOf(keys: readonly SecretKey[]): string | Readonly<Record<string, string>> {
  const [only] = keys
  if (only && only.name === undefined) return only.reveal()
  return Object.fromEntries(keys.map(({ name = '', reveal }) => [name, reveal()]))
}
