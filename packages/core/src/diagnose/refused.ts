import { WebhookError } from '../reject/webhook-error.ts'
import { diagnose } from './diagnose.ts'
import type { Diagnosis, Finding } from './diagnosis.ts'
import type { Refused } from './gate.ts'

/** A refusal with its diagnosis in the detail, or with a note why there is none. */
export interface Diagnosed {
  readonly error: WebhookError
  readonly diagnosis?: Diagnosis
}

/** Diagnoses a refused request; the error is the same for the sender and says more to the operator. */
export async function diagnoseRefused(error: WebhookError, refused: Refused): Promise<Diagnosed> {
  const { header: headers, keys, rawBody: body } = refused
  const [only] = keys
  const named = keys.map(({ name = '', reveal }) => [name, reveal()] as const)
  const secrets = only && only.name === undefined ? only.reveal() : Object.fromEntries(named)
  const diagnosis = await diagnose({ headers, body, secrets })
  const detail = `${error.detail} ${told(diagnosis[0])}`
  return { error: new WebhookError(error.reason, detail), diagnosis }
}

function told({ code, certainty, message, fix, secretName }: Finding): string {
  const by = secretName === undefined ? '' : ` (by the secret named ${JSON.stringify(secretName)})`
  return `Diagnosis: ${code}, ${certainty}${by}. ${message} ${fix}`
}
