import { attempt, withTimeout } from '../async/timeout.ts'
import type { Runner, RunnerSettings } from './runner.ts'
import { handlerTimeout } from './unavailable.ts'

/** Runs each delivery that comes, duplicates too: there is no store. */
export function createPlainRunner({ onLateFailure }: RunnerSettings): Runner {
  return async (_id, work, timeout) => {
    const { signal } = new AbortController()
    const working = attempt(() => work({ signal, transaction: undefined }))
    await withTimeout(timeout, working, () => {
      working.catch(onLateFailure)
      return handlerTimeout(timeout)
    })
    return 'completed'
  }
}
