import { WebhookError } from '../reject/webhook-error.ts'
import type { HeaderLookup } from '../verify/headers.ts'
import type { SecretKey } from '../verify/secret.ts'
import { diagnose } from './diagnose.ts'
import type { Diagnosis, Finding } from './diagnosis.ts'

/** What is known of a request that was refused. */
export interface RefusedRequest {
  readonly header: HeaderLookup
  readonly keys: readonly SecretKey[]
  /** The body, where it was read. */
  readonly rawBody: Uint8Array | undefined
}

/** A refusal with its diagnosis in the detail, or with a note why there is none. */
export interface Diagnosed {
  readonly error: WebhookError
  readonly diagnosis?: Diagnosis
}

/** Diagnoses a refused request; the error is the same for the sender and says more to the operator. */
export async function diagnoseRefused(
  error: WebhookError,
  refused: RefusedRequest,
): Promise<Diagnosed> {
  const { header: headers, keys, rawBody: body } = refused
  const [only] = keys
  const named = keys.map(({ name = '', reveal }) => [name, reveal()] as const)
  const secrets = only && only.name === undefined ? only.reveal() : Object.fromEntries(named)
  const diagnosis = await diagnose({ headers, body, secrets })
  const detail = `${error.detail} ${sentenceFor(diagnosis[0])}`
  return { error: new WebhookError(error.reason, detail), diagnosis }
}

function sentenceFor({ code, certainty, message, fix, secretName }: Finding): string {
  const by = secretName === undefined ? '' : ` (by the secret named ${JSON.stringify(secretName)})`
  return `Diagnosis: ${code}, ${certainty}${by}. ${message} ${fix}`
}
