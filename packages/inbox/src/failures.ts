import { WebhookError } from '@webhook-receiver/core'
import { describeError } from '@webhook-receiver/core/adapter'
import { printError } from '@webhook-receiver/core/internal'
import { isAbandoned } from '@webhook-receiver/core/store'
import type { Claimed } from './claims.ts'
import { conflictOf, type Database, inAscii, lacksCharacter } from './database.ts'
import { close, PAUSE } from './ending.ts'
import { type FailedAttempt, standardWait } from './options.ts'
import type { Statements } from './statements.ts'

export interface FailureSettings {
  readonly database: Database
  readonly statements: Statements
  readonly attempts: number
  readonly timeout: number
  readonly wait: (attempt: number) => number
  /** Never throws. */
  readonly onError: (error: unknown, failed: FailedAttempt) => void
}

/** How often a process may end during a delivery until it is dead. */
const DEATHS = 5

/** How old a delivery may be, in seconds, so that what gets in its way does not count. Otherwise one that always fails so would never be dead. */
const UNCOUNTED = 3600

/** How much of an error is kept, in characters. */
const LONGEST = 8000

/** What is recorded of an attempt that did not succeed, and what is said of it afterwards. */
export function createFailures(settings: FailureSettings) {
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
    const rows = await recording(error, (text) =>
      database.ask(statements.again, id, token, pause, text, uncounted, death),
    )
    return rows.length > 0
  }

  async function fail(claimed: Claimed, error: unknown, death: 0 | 1): Promise<void> {
    const { attempt, deaths } = claimed
    const text = textOf(error)
    // A claim that waited too long for a connection looks like a death: its handler must get its attempt.
    const dead = death ? deaths + death >= DEATHS : attempt >= attempts
    const recorded = dead
      ? await recording(text, (error) =>
          close(database, statements, { ...claimed, state: 'dead', error, death }, timeout),
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
      const conflict = conflictOf(thrown)
      if (conflict === undefined) return fail(claimed, explained(thrown, timeout), 0)
      const message = `PostgreSQL rolled the handler back because of ${conflict}.`
      const age = Date.now() / 1000 - Number(claimed.received)
      if (age > UNCOUNTED) return fail(claimed, new Error(message, { cause: thrown }), 0)
      const retried = `${message} It runs again, and this does not count as an attempt.`
      const error = new Error(retried, { cause: thrown })
      const recorded = await again(claimed, { pause: PAUSE, error: textOf(error), uncounted: 1 })
      if (recorded) report(claimed, error, false)
    },

    /** The attempt did not begin. */
    async lost(claimed: Claimed): Promise<void> {
      if (await again(claimed, { pause: PAUSE, uncounted: 1 })) return
      await database.ask(statements.alive, claimed.id)
      report(claimed, new Error(LOST_CLAIM), false)
    },
  }
}

/** Records the text of an error: with escapes, where the database lacks a character of it. */
async function recording<Result>(
  text: string,
  record: (text: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await record(text)
  } catch (error) {
    if (lacksCharacter(error)) return record(inAscii(text))
    throw error
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
  'The claim of this delivery was lost before its handler began: this process was busy, or had no connection to PostgreSQL, for more than 5 s. Another worker has it. If that happens often, lower `concurrency`, make the pool larger, or find what blocks the event loop.'

/** Says which setting is behind an error. */
function explained(error: unknown, timeout: number): unknown {
  if (isAbandoned(error)) {
    const cause = Object(error).cause
    return new Error(
      `The handler ran longer than \`timeout\` (${timeout} s). Its transaction was rolled back and its connection closed.`,
      cause === undefined ? undefined : { cause },
    )
  }
  // Its message is what a service may know.
  return error instanceof WebhookError ? new Error(error.detail, { cause: error.cause }) : error
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
