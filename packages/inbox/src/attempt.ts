import { type TransactionalDeliveryStore, WebhookError } from '@webhook-receiver/core'
import { describeError } from '@webhook-receiver/core/adapter'
import { type HandleDelivery, printError, storeKeyOf } from '@webhook-receiver/core/internal'
import { isAbandoned } from '@webhook-receiver/core/store'
import {
  DISCONNECT,
  explainEnd,
  ROLLBACK,
  repeated,
  type Session,
} from '@webhook-receiver/postgres/internal'
import type { Claimed, Follow } from './claims.ts'
import { type Ask, type Begun, conflictOf, type Database, type Row } from './database.ts'
import { type FailedAttempt, type InboxContext, standardWait } from './options.ts'
import type { Statements } from './statements.ts'

/** The deliveries that are being handled in this process, by what the store gets as their keys. */
export type Handling = Map<string, Running>

interface Running {
  readonly claimed: Claimed
  readonly follow: Follow
  /** What was claimed when it ended. */
  next?: Claimed | undefined
}

/** How long after `timeout` PostgreSQL ends a handler that still has its connection, in seconds. */
const GRACE = 5

/** The store behind the handlers of an inbox: a delivery is done in the transaction of its effects. */
export function inboxStore(
  database: Database,
  statements: Statements,
  handling: Handling,
  timeout: number,
): TransactionalDeliveryStore<unknown> {
  return {
    // For operators, who have `forget` and `retry` here.
    forget: async () => false,
    async transact(key, work) {
      const running = handling.get(key)
      if (!running) return LOST
      const { claimed, follow } = running
      const finish: Finish = async (client, { backend, since }, ask, back) => {
        claimed.begun = true
        try {
          await work(client)
        } catch (error) {
          if (isAbandoned(error)) {
            // If a statement of the handler does not end, what is sent behind it does not run. The pool may have no other connection than those
            // of handlers, so this is not waited for.
            database.ask(statements.disconnect, Number(backend), String(since)).catch(() => {})
            // Before an ORM rolls back: nothing that the handler sends later may run in the transaction of another.
            if (!back) await Promise.allSettled([ask(ROLLBACK), ask(DISCONNECT)])
          } else await back?.(error)
          throw error
        }
      }
      const closed = await close(database, statements, doneOf(claimed), timeout, finish, follow)
      running.next = closed?.next
      // It took so long that nobody waits for it.
      if (running.next && handling.get(key) !== running) {
        await running.next.held?.session.rollback()
        await giveBack(database, statements, running.next.id, running.next.token)
      }
      return closed ? { status: 'claimed' } : LOST
    },
  }
}

/** The end of a delivery that was handled, which takes its transaction over. */
function doneOf(claimed: Claimed): Ending {
  const ending = { ...claimed, state: 'done', error: '', death: 0 } as const
  claimed.held = undefined
  return ending
}

/** Leaves to others what was claimed and does not begin. If that fails, its lease runs out. */
async function giveBack(
  { ask }: Database,
  { again }: Statements,
  id: string,
  token: string,
): Promise<void> {
  await ask(again, id, token, PAUSE, '', 1, 0).catch(() => {})
}

const LOST = { status: 'in_progress', retryAfter: 1 } as const

/** What becomes of a delivery, and by which claim. */
interface Ending {
  readonly id: string
  readonly token: string
  readonly state: 'done' | 'dead'
  readonly error: string
  /** 1 if the process ended in the last attempt. */
  readonly death: 0 | 1
  readonly held?: Begun | undefined
}

/** What is done in the transaction that ends a delivery. */
type Finish = (
  client: unknown,
  held: Row,
  ask: Ask,
  back: Session['back'] | undefined,
) => Promise<void>

/** A delivery that has ended, and the one that was claimed with its end. */
interface Closed {
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
    let held = begun?.row
    const next = await database.transact(async (client, { ask, tell }, back) => {
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

/** Handles a delivery from its JSON. */
export type HandleStored = (
  stored: string,
  options: Parameters<HandleDelivery<unknown>>[1],
) => ReturnType<HandleDelivery<unknown>>

export interface AttemptSettings {
  readonly database: Database
  readonly statements: Statements
  readonly handling: Handling
  readonly handlerOf: (service: string) => HandleStored
  readonly attempts: number
  readonly timeout: number
  readonly wait: (attempt: number) => number
  /** Never throws. */
  readonly onError: (error: unknown, failed: FailedAttempt) => void
}

/** How long a delivery that could not be begun is left alone, in seconds. */
const PAUSE = 0.5

/** How often a process may end during a delivery until it is dead. */
const DEATHS = 5

/** How much of an error is kept, in characters. */
const LONGEST = 8000

/** Handles what was claimed. Resolves to what was claimed when it ended; rejects only if PostgreSQL cannot be used. */
export type Handle = (claimed: Claimed, follow: Follow) => Promise<Claimed | undefined>

export function createAttempts(settings: AttemptSettings): Handle {
  const { database, statements, handling, handlerOf, timeout } = settings
  const failed = createFailures(settings)

  /** Runs the handler. Resolves to undefined if the delivery is not done. */
  async function run(claimed: Claimed, follow: Follow): Promise<Closed | undefined> {
    const { service, key, delivery } = claimed
    const name = await storeKeyOf({ endpoint: service, key })
    const running: Running = { claimed, follow }
    handling.set(name, running)
    try {
      const known = { endpoint: service, key, context: contextOf(claimed) }
      const outcome = await handlerOf(service)(delivery, known)
      if (outcome !== 'ignored') return { next: running.next }
      return await close(database, statements, doneOf(claimed), timeout, undefined, follow)
    } finally {
      handling.delete(name)
      // What could not be parsed has not used its transaction.
      const { held } = doneOf(claimed)
      await held?.session.rollback()
    }
  }

  return async function handle(claimed, follow) {
    if (claimed.claim === 'died') {
      await failed.died(claimed)
      return undefined
    }
    try {
      const closed = await run(claimed, follow)
      if (closed) return closed.next
      await failed.lost(claimed)
    } catch (error) {
      if (claimed.begun || !(error instanceof WebhookError)) await failed.threw(claimed, error)
      else {
        await failed.lost(claimed)
        // The store could not be used. The worker says so once.
        if (error.reason !== 'delivery_in_progress') throw error.cause ?? error
      }
    }
    return undefined
  }
}

/** The tenant in a key, whose endpoint has slashes in place of colons: two in front of a name that the application gave. */
function tenantOf(key: string): string | undefined {
  const [, first, , second] = key.slice(0, key.indexOf(':')).split('/')
  return first || second
}

/** What the handler gets beside its transaction. */
function contextOf({
  key,
  attempt,
  received,
  trace,
}: Claimed): Omit<InboxContext<unknown>, 'signal' | 'transaction'> {
  const receivedAt = new Date(Number(received) * 1000)
  const tenant = tenantOf(key)
  return { key, attempt, tenant, receivedAt, ...(trace === null ? {} : { trace }) }
}

/** What is recorded of an attempt that did not succeed, and what is said of it afterwards. */
function createFailures(settings: AttemptSettings) {
  const { database, statements, attempts, timeout, wait, onError } = settings

  const report = ({ id, service, attempt }: Claimed, error: unknown, dead: boolean) =>
    onError(error, { id, service, attempt, dead })

  function pauseAfter(attempt: number): number {
    try {
      const pause = wait(attempt)
      if (pause >= 0 && pause < LONGEST_WAIT) return pause
      throw new TypeError(`It returned ${pause}.`)
    } catch (error) {
      printError(
        '[webhook-receiver] Inbox: `wait` should return seconds. The default is used instead.',
        error,
      )
      return standardWait(attempt)
    }
  }

  /** Resolves to whether there was something to record: not if the delivery is done, or if another worker has it. */
  async function again(
    { id, token }: Claimed,
    { pause, error = '', uncounted = 0, death = 0 }: Again,
  ): Promise<boolean> {
    return (
      (await database.ask(statements.again, id, token, pause, error, uncounted, death)).length > 0
    )
  }

  async function fail(claimed: Claimed, error: unknown, death: 0 | 1): Promise<void> {
    const { attempt, deaths } = claimed
    const text = textOf(error)
    const dead = attempt >= attempts || deaths + death >= DEATHS
    const recorded = dead
      ? await close(
          database,
          statements,
          { ...claimed, state: 'dead', error: text, death },
          timeout,
        )
      : await again(claimed, { pause: pauseAfter(attempt), error: text, death })
    if (recorded) report(claimed, error, dead)
  }

  return {
    async died(claimed: Claimed): Promise<void> {
      const { attempt, deaths, error } = claimed
      const last = error === null ? '' : ` The last error was: ${error}`
      const message = `In attempt ${attempt} the process ended, or lost PostgreSQL, for the ${ordinal(deaths + 1)} time with this delivery; after ${DEATHS} it is dead. From now on it runs alone.${last}`
      await fail(claimed, new Error(message), 1)
    },

    async threw(claimed: Claimed, thrown: unknown): Promise<void> {
      const error = explained(thrown, timeout)
      if (!conflictOf(thrown)) return fail(claimed, error, 0)
      const recorded = await again(claimed, { pause: PAUSE, error: textOf(error), uncounted: 1 })
      if (recorded) report(claimed, error, false)
    },

    /** The attempt did not begin. */
    async lost(claimed: Claimed): Promise<void> {
      if (await again(claimed, { pause: PAUSE, uncounted: 1 })) return
      report(claimed, new Error(LOST_CLAIM), false)
    },
  }
}

interface Again {
  readonly pause: number
  readonly error?: string
  readonly uncounted?: 0 | 1
  readonly death?: 0 | 1
}

/** A hundred years, which is what PostgreSQL can add to every date that people use. */
const LONGEST_WAIT = 3_153_600_000

const LOST_CLAIM =
  'The claim of this delivery was lost before its handler began: this process was busy, or without PostgreSQL, for more than 5 s. Another worker has it. If that happens often, lower `concurrency`, or find what blocks the event loop.'

/** Says which setting is behind an error. */
function explained(error: unknown, timeout: number): unknown {
  if (isAbandoned(error)) {
    const cause = Object(error).cause
    return new Error(
      `The handler ran longer than \`timeout\` (${timeout} s). Its transaction was rolled back and its connection closed.`,
      cause === undefined ? undefined : { cause },
    )
  }
  const conflict = conflictOf(error)
  if (conflict === undefined) {
    // Its message is what a service may know.
    return error instanceof WebhookError ? new Error(error.detail, { cause: error.cause }) : error
  }
  const message = `PostgreSQL rolled the handler back because of ${conflict}. It runs again, and this does not count as an attempt.`
  return new Error(message, { cause: error })
}

function textOf(error: unknown): string {
  return storable(describeError(error).stack.slice(0, LONGEST))
}

function ordinal(count: number): string {
  return ['first', 'second', 'third', 'fourth', 'fifth'][count - 1] ?? `${count}th`
}

/** PostgreSQL has no place for NUL or for half of a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll(/\0|\p{Surrogate}/gu, '\ufffd')
}
