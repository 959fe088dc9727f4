import connected from '@webhook-receiver/contract/schemas/instance.connected.json'
import disconnected from '@webhook-receiver/contract/schemas/instance.disconnected.json'
import delivered from '@webhook-receiver/contract/schemas/message.delivered.json'
import failed from '@webhook-receiver/contract/schemas/message.failed.json'
import read from '@webhook-receiver/contract/schemas/message.read.json'
import received from '@webhook-receiver/contract/schemas/message.received.json'
import sent from '@webhook-receiver/contract/schemas/message.sent.json'

/** The part of JSON Schema that the contract uses. */
export interface Schema {
  readonly type?: string
  readonly description?: string
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
}

const SCHEMAS: Readonly<Record<string, Schema>> = {
  'message.received': received,
  'message.sent': sent,
  'message.delivered': delivered,
  'message.read': read,
  'message.failed': failed,
  'instance.connected': connected,
  'instance.disconnected': disconnected,
}

/** The schema of a member of a delivery, by the names on the way to it. */
export function schemaAt(event: string, path: readonly string[]): Schema | undefined {
  const root: Schema | undefined = SCHEMAS[event] ?? SCHEMAS['message.received']
  return path.reduce<Schema | undefined>((schema, name) => schema?.properties?.[name], root)
}

/** What can be written there: values, or the names of members. */
export function suggestions(
  schema: Schema | undefined,
  values: boolean,
): readonly { readonly text: string; readonly detail: string; readonly info: string }[] {
  if (schema === undefined) return []
  const info = schema.description ?? ''
  if (values) {
    const known = schema.const === undefined ? (schema.examples ?? []) : [schema.const]
    return known.map((value) => ({ text: JSON.stringify(value), detail: schema.type ?? '', info }))
  }
  return Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    text: JSON.stringify(name),
    detail: member.type ?? '',
    info: member.description ?? '',
  }))
}
