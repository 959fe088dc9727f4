/** What a server of ours responds with while somebody tries things; `normal` is what it would respond with anyway. */
export const REPLIES = ['normal', '500', '410', 'slow'] as const

export type Reply = (typeof REPLIES)[number]

/** How long `slow` waits, in milliseconds: longer than a service waits for a response. */
const SLOW = 15_000

/** In place of the response to a verified delivery. */
export interface ChosenReply {
  readonly status?: number
  /** In milliseconds. */
  readonly delay?: number
}

export function chosenReply(reply: Reply): ChosenReply {
  if (reply === 'normal') return {}
  return reply === 'slow' ? { delay: SLOW } : { status: Number(reply) }
}
