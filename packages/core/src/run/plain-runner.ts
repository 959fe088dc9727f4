import { isPromiseLike, withTimeout } from '../async/timeout.ts'
import { WorkContext } from '../handling/context.ts'
import { handlerTimeout } from '../handling/unavailable.ts'
import { abandonAfter } from './abandon.ts'
import type { Runner, RunSettings } from './runner.ts'

/** Runs each delivery that comes, duplicates too: there is no store. */
export function createPlainRunner(settings: RunSettings): Runner {
  return (_delivery, work, timeout) => {
    const context = new WorkContext(undefined)
    const result = work(context)
    if (!isPromiseLike(result)) return 'completed'
    const working = abandonAfter(settings.abandonAfter, context, Promise.resolve(result))
    return withTimeout(timeout, working, () => {
      working.catch(settings.onLateFailure)
      return handlerTimeout(timeout)
    }).then(() => 'completed')
  }
}
