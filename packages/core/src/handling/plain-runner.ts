import { withTimeoutIfAsync } from '../async/timeout.ts'
import { WorkContext } from './context.ts'
import type { Runner, RunnerSettings } from './runner.ts'
import { handlerTimeout } from './unavailable.ts'

/** Runs each delivery that comes, duplicates too: there is no store. */
export function createPlainRunner({ onLateFailure }: RunnerSettings): Runner {
  return (_id, work, timeout) => {
    const working = work(new WorkContext(undefined))
    const late = () => {
      Promise.resolve(working).catch(onLateFailure)
      return handlerTimeout(timeout)
    }
    const worked = withTimeoutIfAsync(timeout, working, late)
    return worked instanceof Promise ? worked.then(() => 'completed') : 'completed'
  }
}
