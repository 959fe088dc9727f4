import type { Scheme } from '@webhook-receiver/core'
import { hexadecimal, MAC_BYTES, type MacKey, mac } from '@webhook-receiver/core/internal'
import type { BodyText } from '../forms/body-form.ts'
import { MESSAGE_FORMS, type Message } from '../forms/message-forms.ts'
import type { ReceivedDigest } from '../forms/signature-forms.ts'
import { TIMESTAMP_FORMS } from '../forms/timestamp-forms.ts'
import type { RequestParts } from '../request/request-parts.ts'
import { utf8 } from '../text/encodings.ts'
import type { Pace } from '../text/pace.ts'
import type { Part, Signing } from './signing.ts'
import { createSpend, MAC_COST } from './spend.ts'

/** Of a scheme with `places`, whose senders write the headers and what is signed themselves: each form of both is tried. */
export function macSigning(
  places: NonNullable<Scheme['places']>,
  digests: readonly ReceivedDigest[],
  { lines }: RequestParts,
  { bytes }: BodyText,
  pace: Pace,
): Signing<MacKey, Message> {
  const sent = lines(places.timestamp)
  const timestamp = sent.length === 1 ? sent[0] : undefined
  const ids = [...new Set(lines(places.id))]
  const timestamps = {
    lines: sent,
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
      return digests.find(({ digest }) => digest.length === MAC_BYTES && mac.equal(value, digest))
    },
  }
}
