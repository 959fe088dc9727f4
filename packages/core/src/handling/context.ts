import type { HandlerContext } from './handlers.ts'

/** The second argument of a handler. Its signal is created when it is read: that takes longer than the rest of a delivery. */
export class WorkContext<Transaction> implements HandlerContext<Transaction> {
  declare readonly signal: AbortSignal
  readonly transaction: Transaction
  #controller: AbortController | undefined

  constructor(transaction: Transaction) {
    this.transaction = transaction
    // Of each object and not of the class, so that `{ ...context }` has it too.
    Object.defineProperty(this, 'signal', WorkContext.#signal)
  }

  /** Not a method, which a handler could call. */
  static abort(context: WorkContext<unknown>, reason: unknown): void {
    WorkContext.#controllerOf(context).abort(reason)
  }

  static #controllerOf(context: WorkContext<unknown>): AbortController {
    context.#controller ??= new AbortController()
    return context.#controller
  }

  static readonly #signal: PropertyDescriptor & ThisType<WorkContext<unknown>> = {
    enumerable: true,
    get() {
      return WorkContext.#controllerOf(this).signal
    },
  }
}
