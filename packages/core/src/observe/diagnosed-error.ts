import type { Diagnosis, Finding } from '../reject/diagnosis.ts'
import { WebhookError } from '../reject/webhook-error.ts'

/** A refusal that says more to the operator. The sender gets the same answer as without. */
export interface DiagnosedError {
  readonly error: WebhookError
  /** `undefined` where the detail only says why there is none. */
  readonly diagnosis?: Diagnosis
}

/** Adds the most likely finding to the detail. */
export function withDiagnosis(error: WebhookError, diagnosis: Diagnosis): DiagnosedError {
  return { error: withDetail(error, sentenceFor(diagnosis[0])), diagnosis }
}

/** Adds to the detail why there is no diagnosis of this request, and the finding of the last one. */
export function withoutDiagnosis(
  error: WebhookError,
  running: boolean,
  last: Finding | undefined,
): DiagnosedError {
  const known = running
    ? 'another request is being diagnosed'
    : `the last finding is ${last ? `${last.code}, ${last.certainty}` : 'none yet'}`
  const note = `Not diagnosed, because there is at most one diagnosis per second; ${known}. Send the request again in a second.`
  return { error: withDetail(error, note) }
}

function withDetail({ reason, detail }: WebhookError, sentences: string): WebhookError {
  return new WebhookError(reason, `${detail} ${sentences}`)
}

function sentenceFor({ code, certainty, message, fix, secretName }: Finding): string {
  const by =
    secretName === undefined ? '' : ` (with the secret named ${JSON.stringify(secretName)})`
  return `Diagnosis: ${code}, ${certainty}${by}. ${message} ${fix}`
}
