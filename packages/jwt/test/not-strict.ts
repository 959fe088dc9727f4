import type { SchemeDelivery } from '@webhook-receiver/core'
import type { livekit, qstash } from '../src/index.ts'

type LiveKit = SchemeDelivery<typeof livekit>
type QStash = SchemeDelivery<typeof qstash>

/** Compiled without `strict` by not-strict.test.ts. */
export function namesOf({ event, id }: LiveKit, { id: other }: QStash): readonly string[] {
  return [event, id, other]
}
