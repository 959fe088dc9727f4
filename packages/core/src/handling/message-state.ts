/**
 * The events that report the state of a sent message, from the first state to the furthest.
 *
 * `failed` is before `delivered`: a service may report a failed try and deliver after all, and what was delivered or read did not
 * fail. So the furthest state is the same in whatever order the events arrive.
 */
export const MESSAGE_STATES = [
  'message.sent',
  'message.failed',
  'message.delivered',
  'message.read',
] as const

export type MessageState = (typeof MESSAGE_STATES)[number]

/**
 * Whether an event is a further state of a message than the kept one. Returns false for an event that arrives too late, for a
 * copy, and for events that are not states of a sent message. Also returns false if the kept state is not one of these, for
 * example because a newer version wrote it.
 *
 * @param kept The state so far; `undefined` or `null` for none.
 *
 * @example
 * if (movesForward(message.state, delivery.event)) message.state = delivery.event
 */
export function movesForward(
  kept: string | null | undefined,
  event: string,
): event is MessageState {
  const states: readonly string[] = MESSAGE_STATES
  const next = states.indexOf(event)
  if (next < 0) return false
  if (kept === undefined || kept === null) return true
  const before = states.indexOf(kept)
  return before >= 0 && next > before
}
