import type { HandlerContext } from './dispatch.ts'
import type { SettledHandling } from './options.ts'
import type { Outcome } from './steps.ts'

/** Runs the work of a delivery once, as far as the store can promise it. */
export type Runner = (
  id: string,
  work: (context: HandlerContext<unknown>) => Promise<unknown>,
) => Promise<Outcome>

/** What a runner needs of the options, and whom it tells what happens after the answer. */
export interface RunnerSettings extends SettledHandling {
  /** Told what a handler, or its store, failed with after the delivery was answered. */
  readonly afterwards: (error: unknown) => void
}
