import { endsAtOnce, isPromiseLike, withTimeout } from '../async/timeout.ts'
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
  ): Promise<Outcome> {
    if (await endsAtOnce(working)) {
      await working
      return 'completed'
    }
    const abandonable = abandonAfter(settings.abandonAfter, context, working)
    await withTimeout(timeout, abandonable, () => {
      abandonable.catch(settings.onLateFailure)
      return late(timeout)
    })
    return 'completed'
  }

  return (_delivery, work, timeout) => {
    const context = new WorkContext(undefined)
    const result = work(context)
    return isPromiseLike(result) ? finish(Promise.resolve(result), context, timeout) : 'completed'
  }
}
