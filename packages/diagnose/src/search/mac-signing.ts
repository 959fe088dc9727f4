import type { Scheme } from '@webhook-receiver/core'
import { hexadecimal, MAC_BYTES, type MacKey, mac } from '@webhook-receiver/core/internal'
import type { BodyText } from '../forms/body-form.ts'
import { MESSAGE_FORMS, type Message } from '../forms/message-forms.ts'
import { type ReceivedDigest, TRUNCATED } from '../forms/signature-forms.ts'
import { TIMESTAMP_FORMS } from '../forms/timestamp-forms.ts'
import { fieldsOf } from '../request/fields.ts'
import type { RequestParts } from '../request/request-parts.ts'
import { utf8 } from '../text/encodings.ts'
import { readJsonText } from '../text/json-text.ts'
import type { Pace } from '../text/pace.ts'
import type { Part, Signing } from './signing.ts'
import { createSpend, MAC_COST } from './spend.ts'

/** Of a scheme with `places`, whose senders write the headers and what is signed themselves: each form of both is tried. */
export async function macSigning(
  places: NonNullable<Scheme['places']>,
  digests: readonly ReceivedDigest[],
  { lines }: RequestParts,
  { bytes, text, json }: BodyText,
  pace: Pace,
): Promise<Signing<MacKey, Message>> {
  const sent = lines(places.timestamp)
  const timestamp = sent.length === 1 ? sent[0] : undefined
  const hasByteOrderMark = text?.startsWith('\uFEFF')
  const readable = hasByteOrderMark ? await readJsonText(text?.slice(1) ?? '', pace) : json
  const { id, created_at, timestamp: dataTimestamp } = await fieldsOf(readable, pace)
  const ids = [...new Set([...lines(places.id), ...(id === undefined ? [] : [id])])]
  const timestamps = {
    lines: sent,
    inBody: [created_at, dataTimestamp].filter((value) => value !== undefined),
    inSignature: lines(places.signature).flatMap(
      (line) => /(?:^|[,\s])t=(\d+)/.exec(line)?.[1] ?? [],
    ),
  }
  const keys = new Set<string>()
  const spend = createSpend(pace, MAC_COST + 500 * digests.length, 3)

  function otherTimestamps(): readonly Part<Message>[] {
    const seen = new Set([timestamp])
    return TIMESTAMP_FORMS.flatMap((cause) =>
      cause.variants(timestamps).flatMap((other) => {
        if (seen.has(other)) return []
        seen.add(other)
        return [{ value: { prefix: `${other}.`, body: bytes }, assumption: { cause } }]
      }),
    )
  }

  return {
    importKey(source) {
      const key = typeof source === 'string' ? utf8(source) : source
      const digits = hexadecimal(key)
      if (keys.has(digits)) return undefined
      keys.add(digits)
      return mac.importKey(key)
    },
    plain: (body) =>
      timestamp === undefined ? [] : [{ value: { prefix: `${timestamp}.`, body } }],
    others: (body, pairs) => [
      ...(pairs ? [] : otherTimestamps()),
      ...MESSAGE_FORMS.filter((form) => form.pairs || !pairs).flatMap((cause) =>
        cause.variants({ timestamp, ids, body }).map((value) => ({ value, assumption: { cause } })),
      ),
    ],
    async match(key, { prefix, body }) {
      await spend(prefix.length + body.length)
      const value = await mac.sign(key, prefix, body)
      return digests.find(({ digest, form }) =>
        form === TRUNCATED
          ? mac.equal(padded(value.subarray(0, digest.length)), padded(digest))
          : digest.length === MAC_BYTES && mac.equal(value, digest),
      )
    },
  }
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(MAC_BYTES)
  whole.set(bytes.subarray(0, MAC_BYTES))
  return whole
}
