import { withTimeoutIfAsync } from '../async/timeout.ts'
import { WorkContext } from './context.ts'
import type { Runner, RunnerSettings } from './runner.ts'
import { handlerTimeout } from './unavailable.ts'

/** Runs each delivery that comes, duplicates too: there is no store. */
export function createPlainRunner({ onLateFailure }: RunnerSettings): Runner {
  return async (_id, work, timeout) => {
    const working = work(new WorkContext(undefined))
    await withTimeoutIfAsync(timeout, working, () => {
      Promise.resolve(working).catch(onLateFailure)
      return handlerTimeout(timeout)
    })
    return 'completed'
  }
}
