import { BOOLEAN, optional, type Rule } from './validate/rule.ts'

/** The option of every adapter for a framework with an error path. */
export interface ForwardErrors {
  /**
   * `true` passes a WebhookError to the framework's own error handling, instead of responding: you then
   * respond to rejected requests yourself. A request whose body is not read to its end still gets its response from the
   * receiver, because any other would not reach the sender. Anything but a boolean is a TypeError.
   * @default false
   */
  readonly forwardErrors?: boolean | undefined
}

export const FORWARD_ERRORS: Rule<boolean | undefined> = optional(BOOLEAN)
