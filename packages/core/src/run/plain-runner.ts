import { AT_ONCE, isPromiseLike, withTimeout } from '../async/timeout.ts'
import { WorkContext } from '../handling/context.ts'
import type { Outcome } from '../handling/steps.ts'
import { decisionTimeout, handlerTimeout } from '../handling/unavailable.ts'
import type { Scheme } from '../verify/scheme.ts'
import { abandonAfter } from './abandon.ts'
import type { Runner, RunSettings } from './runner.ts'

/** Runs each delivery that comes, duplicates too: there is no store. */
export function createPlainRunner(
  settings: RunSettings & { readonly scheme: Pick<Scheme, 'decision'> },
): Runner {
  const late = settings.scheme.decision ? decisionTimeout : handlerTimeout
  /** The time of the work is limited only where it takes time. */
  async function finish(
    working: Promise<unknown>,
    context: WorkContext<unknown>,
    timeout: number,
    take: Parameters<Runner>[3],
  ): Promise<Outcome> {
    let isSettled = false
    const settle = () => {
      isSettled = true
    }
    working.then(settle, settle)
    // Here and not by `endsAtOnce`: each promise of a request costs as much as all header checks.
    for (let microtask = 0; microtask < AT_ONCE && !isSettled; microtask++) await undefined
    if (isSettled) {
      take(await working)
      return 'completed'
    }
    const abandonable = abandonAfter(settings.abandonAfter, context, working.then(take))
    await withTimeout(timeout, abandonable, () => {
      abandonable.catch(settings.onLateFailure)
      return late(timeout)
    })
    return 'completed'
  }

  return (_delivery, work, timeout, take) => {
    const context = new WorkContext(undefined)
    const result = work(context)
    if (isPromiseLike(result)) return finish(Promise.resolve(result), context, timeout, take)
    take(result)
    return 'completed'
  }
}
