import { checkValue } from './validate/check-options.ts'
import { BOOLEAN } from './validate/rule.ts'

/** The option of every adapter for a framework with an error path. */
export interface ForwardErrors {
  /**
   * Whether a WebhookError takes the framework's own error path instead of getting a response from the receiver: you then
   * respond to rejected requests yourself. A request whose body is not read to its end still gets its response from the
   * receiver, because any other would not reach the sender. Anything but a boolean is a TypeError.
   * @default false
   */
  readonly forwardErrors?: boolean | undefined
}

/** Separates the option from those of the receiver; every one of them has a default. */
export function splitForwardErrors<Options extends ForwardErrors>(
  options: Options = {} as Options,
): readonly [forwardErrors: boolean, others: Omit<Options, 'forwardErrors'>] {
  // What is no object is left to the check of the other options.
  if (typeof options !== 'object' || options === null) return [false, options]
  const { forwardErrors = false, ...others } = options
  return [checkValue('forwardErrors', forwardErrors, BOOLEAN), others]
}
