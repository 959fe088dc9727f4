import { setTimeout as delay } from 'node:timers/promises'
import { WebhookError } from '@webhook-receiver/core'
import type { Task } from 'graphile-worker'

/**
 * A task that tries a job again itself, while its queue waits. By itself, graphile-worker lets later jobs of the queue
 * overtake one that failed. After the last attempt the job is a dead letter, because it was added with `max_attempts := 1`.
 */
export function runInOrder(
  work: (payload: unknown) => Promise<void>,
  { attempts }: { attempts: number },
): Task {
  return async (payload, { job, logger }) => {
    let left = attempts
    for (let pause = 500; ; pause = Math.min(pause * 2, 60_000)) {
      try {
        return await work(payload)
      } catch (error) {
        // An attempt while PostgreSQL cannot be reached does not count.
        const away = error instanceof WebhookError && error.reason === 'store_unavailable'
        if (!away) left--
        if (left === 0) throw storable(error)
        const text = error instanceof Error ? error.stack : error
        logger.error(`Job ${job.id} failed and is tried again in ${pause} ms: ${text}`)
      }
      await delay(pause)
    }
  }
}

/** PostgreSQL cannot store NUL or half of a surrogate pair, and graphile-worker stops if it cannot store a message. */
function storable(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error)
  return new Error(message.replaceAll(/\0|[\ud800-\udfff]/gu, '\ufffd'), { cause: error })
}
