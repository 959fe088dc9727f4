import type { HandlingAdapter } from './webhook-handling.ts'

/** An argument that can be left out unless one of the adapter's options is required. */
export type Arguments<Own, Options> = object extends Own ? [options?: Options] : [options: Options]

/** What an adapter knows of its framework, for both forms. */
export interface FormAdapter<Request, Form, Own> {
  /** The path and query as requested, for the line of a failed handler. */
  readonly url?: ((request: Request) => string | undefined) | undefined
  /** The default `onError`, which also gets the line to log and the options of the adapter. */
  readonly report?: (...failure: Parameters<NonNullable<HandlingAdapter<Own>['report']>>) => void
  /**
   * What the application should have written if it did not call the form.
   * @default 'webhookHandler(secret, handlers)', 'webhookMiddleware(secret)'
   */
  readonly call?: string
  /**
   * Called with that and the first argument, which is then the framework's own: throws a TypeError, or returns what the framework
   * waits for.
   * @default throws for a request
   */
  readonly uncalled?: (call: string, argument: unknown) => Form | undefined
}
