import { BODY_FORMS, type BodyText } from './body-forms.ts'
import type { Assumption } from './diagnosis.ts'
import { fingerprint } from './encodings.ts'
import { MESSAGE_FORMS, type Message } from './message-forms.ts'
import { breathing } from './search.ts'
import { API_KEY, type KeySource, OTHER_SECRET, SECRET_FORMS } from './secret-forms.ts'
import { TIMESTAMP_FORMS, type TimestampParts } from './timestamp-forms.ts'

/** A key and a message that may be what was signed, and what has to be assumed for it. */
export interface Attempt {
  readonly key: KeySource
  readonly message: Message
  readonly assumptions: readonly [] | readonly [Assumption] | readonly [Assumption, Assumption]
  readonly secretName: string | undefined
}

/** Everything that attempts are made of. */
export interface Material {
  readonly secrets: readonly (readonly [name: string | undefined, secret: string])[]
  readonly others: readonly (readonly [name: string, secret: string])[]
  readonly apiKey: string | undefined
  /** X-Webhook-Timestamp, where there is exactly one. */
  readonly timestamp: string | undefined
  readonly timestamps: TimestampParts
  readonly ids: readonly string[]
  readonly body: BodyText
  /** Whether the body is small enough to be written in other forms. */
  readonly rewrites: boolean
}

interface Key {
  readonly key: KeySource
  readonly secretName: string | undefined
  readonly assumption?: Assumption
}

interface Part<Value> {
  readonly value: Value
  readonly assumption?: Assumption
}

/** All attempts, the most likely first: as the contract has it, then with one cause, then with two. */
export async function* attempts(material: Material): AsyncIterable<Attempt> {
  const { body } = material
  const asSent = plainMessages(material, body.bytes)
  const given = material.secrets.map(([secretName, key]): Key => ({ secretName, key }))
  const derived = derivedKeys(material)
  yield* crossed(given, asSent)
  yield* crossed(derived, asSent)
  yield* crossed(given, otherTimestamps(material))
  yield* crossed(given, otherMessages(material, body.bytes, false))
  for await (const form of otherBodies(material, false)) {
    yield* crossed(given, plainMessages(material, form.value), form.assumption)
  }
  const common = otherMessages(material, body.bytes, true)
  yield* crossed(derived, common)
  for await (const form of otherBodies(material, true)) {
    yield* crossed(derived, plainMessages(material, form.value), form.assumption)
    yield* crossed(given, otherMessages(material, form.value, true), form.assumption)
  }
}

function* crossed(
  keys: readonly Key[],
  messages: readonly Part<Message>[],
  about?: Assumption,
): Iterable<Attempt> {
  for (const { value: message, assumption } of messages) {
    for (const { key, secretName, assumption: aboutKey } of keys) {
      const [first, second] = [aboutKey, assumption, about].filter((one) => one !== undefined)
      const assumptions = first
        ? second
          ? ([first, second] as const)
          : ([first] as const)
        : ([] as const)
      yield { key, message, assumptions, secretName }
    }
  }
}

function plainMessages({ timestamp }: Material, body: Uint8Array): readonly Part<Message>[] {
  return timestamp === undefined ? [] : [{ value: { prefix: `${timestamp}.`, body } }]
}

function otherMessages(
  { timestamp, ids }: Material,
  body: Uint8Array,
  pairs: boolean,
): readonly Part<Message>[] {
  return MESSAGE_FORMS.filter((form) => form.pairs || !pairs).flatMap((cause) =>
    cause.variants({ timestamp, ids, body }).map((value) => ({ value, assumption: { cause } })),
  )
}

function otherTimestamps({ timestamp, timestamps, body }: Material): readonly Part<Message>[] {
  const seen = new Set([timestamp])
  return TIMESTAMP_FORMS.flatMap((cause) =>
    cause.variants(timestamps).flatMap((text) => {
      if (seen.has(text)) return []
      seen.add(text)
      return [{ value: { prefix: `${text}.`, body: body.bytes }, assumption: { cause } }]
    }),
  )
}

function derivedKeys({ secrets, others, apiKey }: Material): readonly Key[] {
  const keys: Key[] = others.map(([secretName, key]) => ({
    key,
    secretName,
    assumption: { cause: OTHER_SECRET },
  }))
  if (apiKey) {
    for (const key of [apiKey, `Bearer ${apiKey}`]) {
      keys.push({ key, secretName: undefined, assumption: { cause: API_KEY } })
    }
  }
  const seen = new Set(secrets.map(([, secret]) => secret))
  for (const cause of SECRET_FORMS) {
    for (const [secretName, secret] of secrets) {
      for (const key of cause.variants(secret)) {
        if (!key?.length || (typeof key === 'string' && seen.has(key))) continue
        if (typeof key === 'string') seen.add(key)
        keys.push({ key, secretName, assumption: { cause } })
      }
    }
  }
  return keys
}

async function* otherBodies(
  { body, rewrites }: Material,
  pairs: boolean,
): AsyncIterable<Part<Uint8Array> & { readonly assumption: Assumption }> {
  if (!rewrites) return
  const breathe = breathing()
  const seen = new Set([fingerprint(body.bytes)])
  for (const cause of BODY_FORMS) {
    let left = pairs ? (cause.pairs ?? 0) : Number.POSITIVE_INFINITY
    if (left === 0) continue
    for await (const { name: form, bytes } of cause.variants(body)) {
      if (!bytes) continue
      await breathe(bytes.length)
      const mark = fingerprint(bytes)
      if (seen.has(mark)) continue
      seen.add(mark)
      yield { value: bytes, assumption: { cause, form } }
      if (--left <= 0) break
    }
  }
}
