import { explainEnd, repeated, type Session } from '@webhook-receiver/postgres/internal'
import type { Claimed, Follow } from './claims.ts'
import type { Ask, Begun, Database, Row } from './database.ts'
import type { Statements } from './statements.ts'

/** How long a delivery that could not be begun is left alone, in seconds. */
export const PAUSE = 0.5

/** How long after `timeout` PostgreSQL ends a handler that still has its connection, in seconds. */
const GRACE = 5

/** What becomes of a delivery, and by which claim. */
export interface Ending {
  readonly id: string
  readonly token: string
  readonly state: 'done' | 'dead'
  readonly error: string
  /** 1 if the process ended in the last attempt. */
  readonly death: 0 | 1
  readonly held?: Begun | undefined
}

/** What is done in the transaction that ends a delivery. */
export type Finish = (
  client: unknown,
  held: Row,
  ask: Ask,
  back: Session['back'] | undefined,
) => Promise<void>

/** A delivery that has ended, and the one that was claimed with its end. */
export interface Closed {
  readonly next: Claimed | undefined
}

/**
 * Ends a delivery in the transaction of `work`, and wakes the next of its key. Resolves to undefined if the claim is lost, or if another of
 * its key runs; then `work` has not run.
 */
export async function close(
  database: Database,
  statements: Statements,
  { id, token, state, error, death, held: begun }: Ending,
  timeout: number,
  work: Finish = async () => {},
  follow: Follow = () => undefined,
): Promise<Closed | undefined> {
  const longest = String((timeout + GRACE) * 1000)
  let started = false
  let isolated = false
  let claiming: Promise<readonly Row[]> | undefined
  const run = async () => {
    let held: Row | undefined
    const next = await database.transact(async (client, { ask, tell }, back) => {
      // Each time: an ORM may run this again where PostgreSQL could not put two transactions in order.
      held = begun?.row
      if (!held) [held] = await ask(statements.hold, id, token, longest, state)
      if (!held) return
      if (held.isolation !== 'read committed' && !isolated) throw new NotIsolated()
      started = true
      await work(client, held, ask, back)
      const since = String(held.since)
      const ended = [id, token, state, error, death] as const
      const following = database.chains ? follow() : undefined
      if (held.lane !== null) await tell(statements.seal, id, token)
      if (!following) {
        await tell(statements.end, ...ended, since)
        return
      }
      const claim = [since, ...following.values] as const
      if (held.lane === null) {
        claiming = (await tell(statements.endNext, ...ended, ...claim)).rows
      } else {
        await tell(statements.end, ...ended, since)
        claiming = (await tell(statements.next, ...claim)).rows
      }
      return [statements.follow, following.token, longest]
    }, begun)
    if (!next) await leaveNext()
    // The statement returns these properties.
    return held && { next: next && { ...(next.row as object as Claimed), held: next } }
  }
  /** What was claimed and is not held. */
  const leaveNext = async () => {
    const [next] = (await claiming?.catch(() => [])) ?? []
    if (next) await giveBack(database, statements, String(next.id), String(next.token))
  }
  try {
    return await repeated(run, () => !started)
  } catch (failure) {
    await leaveNext()
    if (started || !(failure instanceof NotIsolated)) throw explainEnd(failure)
    isolated = true
    database.isolate()
    return run()
  }
}

/** Rolls back a transaction in which nothing was done yet. */
class NotIsolated extends Error {}

/** The end of a delivery that was handled, which takes its transaction over. */
export function doneOf(claimed: Claimed): Ending {
  const ending = { ...claimed, state: 'done', error: '', death: 0 } as const
  claimed.held = undefined
  return ending
}

/** Leaves to others what was claimed and does not begin. If that fails, its lease runs out. */
export async function giveBack(
  { ask }: Database,
  { again }: Statements,
  id: string,
  token: string,
): Promise<void> {
  await ask(again, id, token, PAUSE, '', 1, 0).catch(() => {})
}
