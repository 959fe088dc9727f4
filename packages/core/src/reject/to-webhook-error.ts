import type { SecretFingerprint } from './details.ts'
import { explainRefusal } from './explanation.ts'
import { Refusal } from './refusal.ts'
import { WebhookError } from './webhook-error.ts'

/** The error of a refusal, with its explanation as `detail`. A WebhookError stays as it is; anything else is `undefined`. */
export function toWebhookError(
  thrown: unknown,
  secrets: readonly SecretFingerprint[],
): WebhookError | undefined {
  if (thrown instanceof WebhookError) return thrown
  if (!(thrown instanceof Refusal)) return undefined
  const { reason, cause } = thrown
  const detail = detailOf(thrown, secrets)
  // The error drops its frames, and a refusal of what anybody may send should not pay for them.
  const limit = Reflect.get(Error, 'stackTraceLimit')
  Reflect.set(Error, 'stackTraceLimit', 0)
  const error = new WebhookError(reason, detail, cause === undefined ? {} : { cause })
  Reflect.set(Error, 'stackTraceLimit', limit)
  return error
}

/** A cause or an issue of the application may throw when its members are read. */
function detailOf(refusal: Refusal, secrets: readonly SecretFingerprint[]): string {
  try {
    return explainRefusal(refusal, secrets)
  } catch {
    return `The reason is ${refusal.reason}. There is no more detail, because reading the cause throws an error.`
  }
}
