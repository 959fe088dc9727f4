import type { StandardSchemaV1 } from '@standard-schema/spec'
import { withTimeoutIfAsync } from '../async/timeout.ts'
import { rejection, rejectionOf } from '../reject/rejection.ts'
import type { WebhookError } from '../reject/webhook-error.ts'

/** Validators of `data.data` by event: any Standard Schema (Zod, Valibot, ArkType …). */
export type DeliverySchemas = Readonly<Record<string, StandardSchemaV1>>

export type NoSchemas = Readonly<Record<never, never>>

export type OutputOf<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : never

export type SchemaIssues = readonly StandardSchemaV1.Issue[]

/** What a schema is for. */
interface DeliveryContent {
  readonly event: string
  readonly content: unknown
  /** Where the content is in the delivery. Default: `data`. */
  readonly at?: string | undefined
}

/**
 * What the schema makes of the content of a verified delivery.
 *
 * @throws WebhookError `schema_mismatch` (500): that the application's schema does not fit a verified delivery is the
 * receiver's fault, and the delivery must not be lost; with `'reject'`, `schema_rejected` (422). `schema_failed` (500)
 * if the schema itself throws, or has not responded after `timeout` seconds.
 */
export async function applySchema(
  schema: StandardSchemaV1,
  { event, content, at }: DeliveryContent,
  onMismatch: 'retry' | 'reject',
  timeout: number,
): Promise<unknown> {
  const late = () => rejection('schema_failed', { event, seconds: timeout })
  try {
    const { vendor, validate } = schema['~standard']
    const result = await withTimeoutIfAsync(timeout, validate(content), late)
    if (Object(result) !== result) throw rejection('schema_failed', { event })
    const { issues } = result
    if (!issues && 'value' in result) return result.value
    if (!Array.isArray(issues)) throw rejection('schema_failed', { event })
    const reason = onMismatch === 'reject' ? 'schema_rejected' : 'schema_mismatch'
    const error = rejection(reason, { event, vendor, issues, at })
    issuesBy.set(error, issues)
    throw error
  } catch (cause) {
    throw rejectionOf(cause, () => rejection('schema_failed', { event }, { cause }))
  }
}

/** Not on the error itself: issues may quote the body, and errors are logged. */
const issuesBy = new WeakMap<WebhookError, SchemaIssues>()

/** The issues that a schema found, if that is why a delivery was rejected. */
export function issuesOf(error: WebhookError): SchemaIssues | undefined {
  return issuesBy.get(error)
}
