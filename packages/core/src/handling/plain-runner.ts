import { asking, within } from '../async/timeout.ts'
import type { Runner, RunnerSettings } from './runner.ts'
import { handlerTimeout } from './unavailable.ts'

/** Runs each delivery that comes, duplicates too: there is no store. */
export function unkeptRunner({ timeout, afterwards }: RunnerSettings): Runner {
  return async (_id, work) => {
    const { signal } = new AbortController()
    const ended = asking(() => work({ signal, transaction: undefined }))
    await within(timeout, ended, () => {
      ended.catch(afterwards)
      return handlerTimeout(timeout)
    })
    return 'completed'
  }
}
