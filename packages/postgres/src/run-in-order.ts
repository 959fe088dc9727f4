import {
  checkOptions,
  DURATION,
  numberRule,
  type OptionTable,
} from '@webhook-receiver/core/options'

/** The options of `runInOrder`. They are checked once. An invalid one is a TypeError. */
export interface RunInOrderOptions {
  /**
   * How often a job is tried before it becomes a dead letter. Anything but a whole number from 1 to 100 is a TypeError.
   * @default 5
   */
  readonly attempts?: number | undefined
  /**
   * The wait before the second attempt, in seconds; each further wait is twice as long. Anything but a number above 0 and
   * up to 86,400 is a TypeError.
   * @default 0.5
   */
  readonly wait?: number | undefined
}

/** The second argument of a graphile-worker task. */
export interface RunningJob {
  readonly job: { readonly id: string | number; readonly locked_by?: string | null }
  readonly query: (
    text: string,
    values: unknown[],
  ) => PromiseLike<{ readonly rows: readonly unknown[] }>
  readonly logger: { error(message: string): unknown }
}

const OPTIONS = {
  attempts: [numberRule({ from: 1, to: 100, whole: true }), 5],
  wait: [DURATION, 0.5],
} as const satisfies { readonly [Name in keyof Required<RunInOrderOptions>]: OptionTable[string] }

/** The longest wait between two attempts, in seconds. */
const LONGEST = 60

/**
 * Creates a task for graphile-worker 0.17 that keeps the order of a named queue even if a job fails: the task tries the job
 * again itself, while the queue waits. After the last attempt the job becomes a dead letter, and the queue continues.
 *
 * By itself, graphile-worker lets later jobs of a queue overtake one that failed. Attempts that fail because the store
 * cannot be reached do not count.
 *
 * @throws TypeError for an invalid option.
 * @example
 * const taskList = { delivery: runInOrder(async (payload) => { await handle(parseStoredDelivery(payload)) }) }
 */
export function runInOrder(
  work: (payload: unknown) => PromiseLike<void>,
  options: RunInOrderOptions = {},
): (payload: unknown, helpers: RunningJob) => Promise<void> {
  const { attempts, wait } = checkOptions(options, OPTIONS, '{ attempts: 5 }')
  return async (payload, { job, query, logger }) => {
    let left = attempts
    for (let seconds = wait; ; seconds = Math.min(seconds * 2, LONGEST)) {
      try {
        return await work(payload)
      } catch (error) {
        if (!isAway(error)) left--
        if (left <= 0 && (await giveUp(job, query))) throw failureOf(error)
        logger.error(`Job ${job.id} failed and is tried again in ${seconds} s: ${textOf(error)}`)
      }
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }
}

/** There is no public function for a job that is locked. Where the job belongs to another worker by now, nothing changes. */
const GIVE_UP = `UPDATE graphile_worker._private_jobs SET attempts = max_attempts
WHERE id = $1 AND locked_by = $2`

/** Whether graphile-worker will take a failure for the last one. */
async function giveUp(
  { id, locked_by }: RunningJob['job'],
  query: RunningJob['query'],
): Promise<boolean> {
  try {
    await query(GIVE_UP, [id, locked_by])
    return true
  } catch {
    // The database is away. Thrown now, the failure would let later jobs pass.
    return false
  }
}

function isAway(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'store_unavailable'
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** PostgreSQL takes no NUL and no half of a surrogate pair, and graphile-worker stops where it cannot store a message. */
function failureOf(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error)
  return new Error(message.replaceAll(/\0|[\ud800-\udfff]/gu, '\ufffd'), { cause: error })
}
