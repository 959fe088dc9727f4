import type { HandlerContext } from '../handling/dispatch.ts'
import type { ResolvedHandlingOptions } from '../handling/options.ts'
import type { Outcome } from '../handling/steps.ts'

/** Runs the work of a delivery once, as far as the store can promise it. */
export type Runner = (
  id: string,
  /** May throw, and return anything: a promise is waited for. */
  work: (context: HandlerContext<unknown>) => unknown,
  /** In seconds. */
  timeout: number,
) => Outcome | Promise<Outcome>

/** The options of a runner. */
export interface RunnerSettings extends ResolvedHandlingOptions {
  /** Called with what a handler, or its store, failed with after the response. */
  readonly onLateFailure: (error: unknown) => void
}
