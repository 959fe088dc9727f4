import { hexadecimal } from '@webhook-receiver/core/signature'
import { BODY_FORMS } from './body-forms.ts'
import type { BodyText } from './body-variant.ts'
import { checksumOf } from './checksum.ts'
import { utf8 } from './encodings.ts'
import type { Assumption, Cause } from './finding.ts'
import { MESSAGE_FORMS, type Message } from './message-forms.ts'
import type { Pace } from './pace.ts'
import { API_KEY, type KeySource, OTHER_SECRET, SECRET_FORMS } from './secret-forms.ts'
import { MAX_FORM } from './slices.ts'
import { TIMESTAMP_FORMS, type TimestampParts } from './timestamp-forms.ts'

/** A key and a message that may have been used, and the assumptions behind them. */
export interface Attempt {
  readonly key: Uint8Array<ArrayBuffer>
  readonly message: Message
  readonly assumptions: readonly [] | readonly [Assumption] | readonly [Assumption, Assumption]
  readonly secretName: string | undefined
}

/** What attempts are made from. */
export interface SearchInput {
  readonly secrets: readonly (readonly [name: string | undefined, secret: string])[]
  readonly others: readonly (readonly [name: string, secret: string])[]
  readonly apiKey: string | undefined
  /** X-Webhook-Timestamp, where there is exactly one. */
  readonly timestamp: string | undefined
  readonly timestamps: TimestampParts
  readonly ids: readonly string[]
  readonly body: BodyText
  /** Whether other forms of the body are tried: it is small enough. */
  readonly tryBodyForms: boolean
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

/** All attempts, the most likely first: the one of the contract, then those with one cause, then those with two. */
export async function* attempts(input: SearchInput, pace: Pace): AsyncIterable<Attempt> {
  const { body } = input
  const asSent = plainMessages(input, body.bytes)
  const given = input.secrets.map(
    ([secretName, secret]): Key => ({ key: utf8(secret), secretName }),
  )
  const derived = derivedKeys(given, input)
  yield* combinations(given, asSent)
  yield* combinations(derived, asSent)
  yield* combinations(given, otherTimestamps(input))
  yield* combinations(given, otherMessages(input, body.bytes, false))
  for await (const form of otherBodies(input, false, pace)) {
    yield* combinations(given, plainMessages(input, form.value), form.assumption)
  }
  const common = otherMessages(input, body.bytes, true)
  yield* combinations(derived, common)
  for await (const form of otherBodies(input, true, pace)) {
    yield* combinations(derived, plainMessages(input, form.value), form.assumption)
    yield* combinations(given, otherMessages(input, form.value, true), form.assumption)
  }
}

function* combinations(
  keys: readonly Key[],
  messages: readonly Part<Message>[],
  bodyAssumption?: Assumption,
): Iterable<Attempt> {
  for (const { value: message, assumption } of messages) {
    for (const { key, secretName, assumption: keyAssumption } of keys) {
      const [first, second] = [keyAssumption, assumption, bodyAssumption].filter(
        (one) => one !== undefined,
      )
      const assumptions = first
        ? second
          ? ([first, second] as const)
          : ([first] as const)
        : ([] as const)
      yield { key, message, assumptions, secretName }
    }
  }
}

function plainMessages({ timestamp }: SearchInput, body: Uint8Array): readonly Part<Message>[] {
  return timestamp === undefined ? [] : [{ value: { prefix: `${timestamp}.`, body } }]
}

function otherMessages(
  { timestamp, ids }: SearchInput,
  body: Uint8Array,
  pairs: boolean,
): readonly Part<Message>[] {
  return MESSAGE_FORMS.filter((form) => form.pairs || !pairs).flatMap((cause) =>
    cause.variants({ timestamp, ids, body }).map((value) => ({ value, assumption: { cause } })),
  )
}

function otherTimestamps({ timestamp, timestamps, body }: SearchInput): readonly Part<Message>[] {
  const seen = new Set([timestamp])
  return TIMESTAMP_FORMS.flatMap((cause) =>
    cause.variants(timestamps).flatMap((text) => {
      if (seen.has(text)) return []
      seen.add(text)
      return [{ value: { prefix: `${text}.`, body: body.bytes }, assumption: { cause } }]
    }),
  )
}

function derivedKeys(
  given: readonly Key[],
  { secrets, others, apiKey }: SearchInput,
): readonly Key[] {
  const keys: Key[] = []
  const seen = new Set(given.map(({ key }) => hexadecimal(key)))

  function add(cause: Cause, source: KeySource | undefined, secretName?: string): void {
    if (!source?.length) return
    const key = typeof source === 'string' ? utf8(source) : source
    const digits = hexadecimal(key)
    if (seen.has(digits)) return
    seen.add(digits)
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
  { body, tryBodyForms }: SearchInput,
  pairs: boolean,
  pace: Pace,
): AsyncIterable<Part<Uint8Array> & { readonly assumption: Assumption }> {
  if (!tryBodyForms) return
  const seen = new Set([await checksumOf(body.bytes, pace)])
  for (const cause of BODY_FORMS) {
    let left = pairs ? (cause.pairs ?? 0) : Number.POSITIVE_INFINITY
    if (left === 0) continue
    for await (const { name: form, bytes } of cause.variants(body, pace)) {
      if (!bytes || bytes.length > MAX_FORM) continue
      const checksum = await checksumOf(bytes, pace)
      if (seen.has(checksum)) continue
      seen.add(checksum)
      yield { value: bytes, assumption: { cause, form } }
      if (--left <= 0) break
    }
  }
}
