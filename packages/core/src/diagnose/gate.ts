import { printError } from '../reject/print-error.ts'
import { WebhookError } from '../reject/webhook-error.ts'
import type { Diagnosed, RefusedRequest } from './diagnosed-error.ts'
import type { Finding } from './diagnosis.ts'

/** How long a receiver waits from one diagnosis to the next, in milliseconds: a forged request must stay cheap. */
const PAUSE = 1000

/** Finds out more about a refusal, where that is due. Never throws. */
export type Diagnoser = (
  error: WebhookError,
  refused: RefusedRequest,
) => Promise<Diagnosed | undefined>

/**
 * Makes the diagnoser of a receiver. What it needs is loaded when it is first needed, and no other file is
 * loaded for an answer: a load can fail while a process runs. Here that changes nothing, and the next diagnosis
 * tries again.
 */
export function createDiagnoser(on: boolean, now: () => number): Diagnoser {
  let last = Number.NEGATIVE_INFINITY
  let failing = false
  let running = false
  let found: Finding | undefined

  async function attempt(
    error: WebhookError,
    refused: RefusedRequest,
  ): Promise<Diagnosed | undefined> {
    try {
      const { diagnoseRefused } = await import('./diagnosed-error.ts')
      const diagnosed = await diagnoseRefused(error, refused)
      failing = false
      return diagnosed
    } catch (cause) {
      // Once, until one succeeds: what fails now may fail for every request of a flood.
      if (!failing) {
        printError('[webhook-receiver] The diagnosis failed; the answer stays as it was.', cause)
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
    if (running || !(time - last >= PAUSE || time < last)) return undiagnosed(error, running, found)
    last = time
    running = true
    const diagnosed = await attempt(error, refused)
    running = false
    found = diagnosed?.diagnosis?.[0]
    return diagnosed
  }
}

/** Says in the detail what is known without a diagnosis. */
function undiagnosed(
  { reason, detail }: WebhookError,
  running: boolean,
  found: Finding | undefined,
): Diagnosed {
  const known = running
    ? 'another request is being diagnosed'
    : `the last finding is ${found ? `${found.code}, ${found.certainty}` : 'none yet'}`
  const note = `Not diagnosed, because that is done at most once a second; ${known}. Send the request again in a second.`
  return { error: new WebhookError(reason, `${detail} ${note}`) }
}
