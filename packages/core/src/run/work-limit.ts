import { withTimeout } from '../async/timeout.ts'
import type { WorkContext } from '../handling/context.ts'
import { decisionTimeout, handlerTimeout } from '../handling/unavailable.ts'
import type { Scheme } from '../verify/scheme.ts'
import { abandonAfter } from './abandon.ts'
import type { RunSettings } from './runner.ts'

/** Limits the time of work without a store that has not ended at once. `timeout` is in seconds. */
type LimitWork = (
  working: Promise<unknown>,
  context: WorkContext<unknown>,
  timeout: number,
  /** Called with what the work failed with after the response. */
  failed: (error: unknown) => void,
) => Promise<unknown>

export function limitWorkBy(
  settings: RunSettings & { readonly scheme: Pick<Scheme, 'decision'> },
): LimitWork {
  const late = settings.scheme.decision ? decisionTimeout : handlerTimeout
  return (working, context, timeout, failed) => {
    const abandonable = abandonAfter(settings.abandonAfter, context, working, failed)
    return withTimeout(timeout, abandonable, () => {
      abandonable.catch(failed)
      return late(timeout)
    })
  }
}
