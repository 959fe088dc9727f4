import { SIGNING_MISTAKES } from '@webhook-receiver/schemes/neighbours'
import type { Variant } from '../request.ts'

/** The mistakes of a sender that signs something else than the service does. For the body alone there is another probe. */
export const OTHERWISE: readonly string[] = [
  'message_without_timestamp',
  'message_without_header',
  'message_without_url',
  'message_with_id',
  'message_separator',
  'message_order',
]

/** Signed with a mistake: by each of its neighbours, or by the first ones. */
export function signedWith(code: string, most = 8): readonly Variant[] {
  return SIGNING_MISTAKES.filter((mistake) => mistake.code === code).flatMap((mistake) =>
    neighboursOf(mistake, most),
  )
}

/** A variant for each neighbour of what a service does. It has none for those that a value does not allow. */
export function neighboursOf(
  { neighbours }: (typeof SIGNING_MISTAKES)[number],
  most: number,
): readonly Variant[] {
  return Array.from({ length: most }, (_, at) => ({
    neighbour: (value, sent) => [...neighbours(value, sent)][at]?.value,
  }))
}
