import type { Vectors } from '../vectors.ts'
import type { RunningAdapter, StartAdapter } from './adapter.ts'
import { Application } from './application.ts'

/** An adapter that was started for one file of vectors, with the application behind it. */
export interface Target {
  readonly vectors: Vectors
  readonly adapter: RunningAdapter
  readonly application: Application
}

/** Starts an adapter for one file of vectors; the caller closes the adapter. */
export async function openTarget(start: StartAdapter, vectors: Vectors): Promise<Target> {
  const application = new Application()
  const adapter = await start({
    secret: vectors.secret,
    now: () => vectors.clock * 1000,
    path: vectors.path,
    onDelivery: application.onDelivery,
  })
  return { vectors, adapter, application }
}
