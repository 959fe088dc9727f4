import { hexadecimal } from '@webhook-receiver/core/internal'
import type { Candidates, KeyCandidate, Part } from './attempts.ts'
import { derivedSecrets } from './derived-secrets.ts'
import { utf8 } from './encodings.ts'
import type { SearchInput } from './investigation.ts'
import { MESSAGE_FORMS, type Message } from './message-forms.ts'
import { TIMESTAMP_FORMS, type TimestampParts } from './timestamp-forms.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What the attempts for the contract are made from. */
export interface ContractInput extends SearchInput {
  /** X-Webhook-Timestamp, where there is exactly one. */
  readonly timestamp: string | undefined
  readonly timestamps: TimestampParts
  readonly ids: readonly string[]
}

export function contractCandidates(input: ContractInput): Candidates<Bytes, Message> {
  const { body, tryBodyForms } = input
  const given = input.secrets.map(([secretName, secret]) => ({ key: utf8(secret), secretName }))
  return {
    given,
    derived: derivedKeys(given, input),
    body,
    tryBodyForms,
    plain: (bytes) => plainMessages(input, bytes),
    others: (bytes, pairs) => [
      ...(pairs ? [] : otherTimestamps(input)),
      ...otherMessages(input, bytes, pairs),
    ],
  }
}

function plainMessages({ timestamp }: ContractInput, body: Uint8Array): readonly Part<Message>[] {
  return timestamp === undefined ? [] : [{ value: { prefix: `${timestamp}.`, body } }]
}

function otherMessages(
  { timestamp, ids }: ContractInput,
  body: Uint8Array,
  pairs: boolean,
): readonly Part<Message>[] {
  return MESSAGE_FORMS.filter((form) => form.pairs || !pairs).flatMap((cause) =>
    cause.variants({ timestamp, ids, body }).map((value) => ({ value, assumption: { cause } })),
  )
}

function otherTimestamps({ timestamp, timestamps, body }: ContractInput): readonly Part<Message>[] {
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
  given: readonly KeyCandidate<Bytes>[],
  input: ContractInput,
): readonly KeyCandidate<Bytes>[] {
  const seen = new Set(given.map(({ key }) => hexadecimal(key)))
  return [...derivedSecrets(input)].flatMap(({ source, cause, secretName }) => {
    const key = typeof source === 'string' ? utf8(source) : source
    const digits = hexadecimal(key)
    if (key.length === 0 || seen.has(digits)) return []
    seen.add(digits)
    return [{ key, secretName, assumption: { cause } }]
  })
}
