import { hexadecimal } from '@webhook-receiver/core/signature'
import { BODY_FORMS } from './body-forms.ts'
import type { BodyText } from './body-variant.ts'
import { utf8 } from './encodings.ts'
import type { Assumption, Cause } from './finding.ts'
import { markOf } from './mark.ts'
import { MESSAGE_FORMS, type Message } from './message-forms.ts'
import type { Pace } from './pace.ts'
import { API_KEY, type KeySource, OTHER_SECRET, SECRET_FORMS } from './secret-forms.ts'
import { MAX_FORM } from './slices.ts'
import { TIMESTAMP_FORMS, type TimestampParts } from './timestamp-forms.ts'

/** A key and a message that may be what was signed, and what has to be assumed for it. */
export interface Attempt {
  readonly key: Uint8Array<ArrayBuffer>
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
  readonly key: Uint8Array<ArrayBuffer>
  readonly secretName: string | undefined
  readonly assumption?: Assumption
}

interface Part<Value> {
  readonly value: Value
  readonly assumption?: Assumption
}

/** All attempts, the most likely first: as the contract has it, then with one cause, then with two. */
export async function* attempts(material: Material, pace: Pace): AsyncIterable<Attempt> {
  const { body } = material
  const asSent = plainMessages(material, body.bytes)
  const given = material.secrets.map(
    ([secretName, secret]): Key => ({ key: utf8(secret), secretName }),
  )
  const derived = derivedKeys(given, material)
  yield* crossed(given, asSent)
  yield* crossed(derived, asSent)
  yield* crossed(given, otherTimestamps(material))
  yield* crossed(given, otherMessages(material, body.bytes, false))
  for await (const form of otherBodies(material, false, pace)) {
    yield* crossed(given, plainMessages(material, form.value), form.assumption)
  }
  const common = otherMessages(material, body.bytes, true)
  yield* crossed(derived, common)
  for await (const form of otherBodies(material, true, pace)) {
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

function derivedKeys(given: readonly Key[], { secrets, others, apiKey }: Material): readonly Key[] {
  const keys: Key[] = []
  const seen = new Set(given.map(({ key }) => hexadecimal(key)))

  function add(cause: Cause, source: KeySource | undefined, secretName?: string): void {
    if (!source?.length) return
    const key = typeof source === 'string' ? utf8(source) : source
    const mark = hexadecimal(key)
    if (seen.has(mark)) return
    seen.add(mark)
    keys.push({ key, secretName, assumption: { cause } })
  }

  for (const [name, secret] of others) add(OTHER_SECRET, secret, name)
  if (apiKey) {
    add(API_KEY, apiKey)
    add(API_KEY, `Bearer ${apiKey}`)
  }
  for (const cause of SECRET_FORMS) {
    for (const [name, secret] of secrets) {
      for (const source of cause.variants(secret)) add(cause, source, name)
    }
  }
  return keys
}

async function* otherBodies(
  { body, rewrites }: Material,
  pairs: boolean,
  pace: Pace,
): AsyncIterable<Part<Uint8Array> & { readonly assumption: Assumption }> {
  if (!rewrites) return
  const seen = new Set([await markOf(body.bytes, pace)])
  for (const cause of BODY_FORMS) {
    let left = pairs ? (cause.pairs ?? 0) : Number.POSITIVE_INFINITY
    if (left === 0) continue
    for await (const { name: form, bytes } of cause.variants(body, pace)) {
      if (!bytes || bytes.length > MAX_FORM) continue
      const mark = await markOf(bytes, pace)
      if (seen.has(mark)) continue
      seen.add(mark)
      yield { value: bytes, assumption: { cause, form } }
      if (--left <= 0) break
    }
  }
}
