import type { StandardSchemaV1 } from '@standard-schema/spec'
import { withTimeoutIfAsync } from '../async/timeout.ts'
import { Refusal, refusalOf } from '../reject/refusal.ts'

/** Validators of `data.data` by event: any Standard Schema (Zod, Valibot, ArkType …). */
export type DeliverySchemas = Readonly<Record<string, StandardSchemaV1>>

export type NoSchemas = Readonly<Record<never, never>>

export type OutputOf<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : never

export type SchemaIssues = readonly StandardSchemaV1.Issue[]

/**
 * What the schema makes of an authentic delivery's content.
 *
 * @throws Refusal `schema_mismatch` (500), since an authentic delivery that the application's schema
 * does not fit is the receiver's fault and must come again; with `refuse`, `schema_refused` (422).
 * `schema_failed` (500) where the schema itself throws, or has not answered after `timeout` seconds.
 */
export async function applySchema(
  schema: StandardSchemaV1,
  event: string,
  content: unknown,
  onMismatch: 'retry' | 'refuse',
  timeout: number,
): Promise<unknown> {
  const late = () => new Refusal('schema_failed', { event, seconds: timeout })
  try {
    const { vendor, validate } = schema['~standard']
    const result = await withTimeoutIfAsync(timeout, validate(content), late)
    const { issues } = result
    if (!issues && 'value' in result) return result.value
    if (!Array.isArray(issues)) throw new Refusal('schema_failed', { event })
    const reason = onMismatch === 'refuse' ? 'schema_refused' : 'schema_mismatch'
    throw new Refusal(reason, { event, vendor, issues })
  } catch (cause) {
    throw refusalOf(cause, () => new Refusal('schema_failed', { event }, cause))
  }
}
