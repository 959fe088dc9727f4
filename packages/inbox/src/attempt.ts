import { type TransactionalDeliveryStore, WebhookError } from '@webhook-receiver/core'
import { describeError } from '@webhook-receiver/core/adapter'
import { type HandleDelivery, printError, storeKeyOf } from '@webhook-receiver/core/internal'
import { isAbandoned } from '@webhook-receiver/core/store'
import { DISCONNECT, hasCode, ROLLBACK, repeated } from '@webhook-receiver/postgres/internal'
import type { Claimed } from './claims.ts'
import { type Ask, conflictOf, type Database, type Row } from './database.ts'
import { type FailedAttempt, type InboxContext, standardWait } from './options.ts'
import type { Statements } from './statements.ts'

/** The deliveries that are being handled in this process, by what the store gets as their keys. */
export type Handling = Map<string, Claimed>

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
      const claimed = handling.get(key)
      if (!claimed) return LOST
      const finish = async (client: unknown, { backend, since }: Row, ask: Ask) => {
        claimed.begun = true
        try {
          await work(client)
        } catch (error) {
          // Before the roll-back: nothing that the handler sends later may run in the transaction of another.
          if (isAbandoned(error)) {
            await Promise.race([
              database.ask(statements.disconnect, Number(backend), String(since)),
              // The pool may have no other connection than those of handlers.
              Promise.allSettled([ask(ROLLBACK), ask(DISCONNECT)]),
            ])
          }
          throw error
        }
      }
      const ending = { ...claimed, state: 'done', error: '', death: 0 } as const
      const done = await close(database, statements, ending, timeout, finish)
      return done ? { status: 'claimed' } : LOST
    },
  }
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
}

/**
 * Ends a delivery in the transaction of `work`, and wakes the next of its key. Resolves to false if the claim is lost, or if another of
 * its key runs; then `work` has not run.
 */
export async function close(
  database: Database,
  statements: Statements,
  { id, token, state, error, death }: Ending,
  timeout: number,
  work: (client: unknown, held: Row, ask: Ask) => Promise<void> = async () => {},
): Promise<boolean> {
  let begun = false
  let isolated = false
  let ends = false
  const run = async () => {
    let held: Row | undefined
    await database.transact(async (client, ask, tell) => {
      ;[held] = await ask(statements.hold, id, token, String((timeout + GRACE) * 1000))
      if (!held) return
      if (held.isolation !== 'read committed' && !isolated) throw new NotIsolated()
      begun = true
      await work(client, held, ask)
      ends = true
      if (held.lane !== null) await tell(statements.seal, id, token)
      await tell(statements.end, id, token, state, error, death, String(held.since))
    })
    return held !== undefined
  }
  try {
    return await repeated(run, () => !begun)
  } catch (failure) {
    if (ends && hasCode(failure, NOTHING_ENDED)) throw new Error(ENDED, { cause: failure })
    if (begun || !(failure instanceof NotIsolated)) throw failure
    isolated = true
    database.isolate()
    return run()
  }
}

/** Rolls back a transaction in which nothing was done yet. */
class NotIsolated extends Error {}

/** The SQLSTATE of the error that the statement `end` makes if it finds nothing to end. */
const NOTHING_ENDED = '22P02'

const ENDED =
  'The handler ended its transaction. Do not send COMMIT or ROLLBACK in a handler. To roll back, throw an error.'

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

/** Returns the function that handles what was claimed. It rejects only if PostgreSQL cannot be used. */
export function createAttempts(settings: AttemptSettings): (claimed: Claimed) => Promise<void> {
  const { database, statements, handling, handlerOf, timeout } = settings
  const failed = createFailures(settings)

  /** Runs the handler. Resolves to whether the delivery is done. */
  async function run(claimed: Claimed): Promise<boolean> {
    const { service, key, delivery } = claimed
    const name = await storeKeyOf({ endpoint: service, key })
    handling.set(name, claimed)
    try {
      const known = { endpoint: service, key, context: contextOf(claimed) }
      const outcome = await handlerOf(service)(delivery, known)
      if (outcome !== 'ignored') return true
      const ending = { ...claimed, state: 'done', error: '', death: 0 } as const
      return await close(database, statements, ending, timeout)
    } finally {
      handling.delete(name)
    }
  }

  return async function handle(claimed) {
    if (claimed.claim === 'died') return failed.died(claimed)
    try {
      if (!(await run(claimed))) await failed.lost(claimed)
    } catch (error) {
      if (claimed.begun || !(error instanceof WebhookError)) return failed.threw(claimed, error)
      await failed.lost(claimed)
      // The store could not be used. The worker says so once.
      if (error.reason !== 'delivery_in_progress') throw error.cause ?? error
    }
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
    // Another of its key may run, if this one was retried. Then it ends later.
    const recorded = dead
      ? await close(
          database,
          statements,
          { ...claimed, state: 'dead', error: text, death },
          timeout,
        )
      : await again(claimed, { pause: pauseAfter(attempt), error: text, death })
    if (recorded) return report(claimed, error, dead)
    if (dead) await again(claimed, { pause: PAUSE, error: text })
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
