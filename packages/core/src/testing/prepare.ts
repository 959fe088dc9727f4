import type { WebhookEvent } from '../parse/event.ts'
import { checkedDeliverOptions, type DeliverOptions } from './prepare-options.ts'
import { sampleDelivery } from './sample.ts'
import { signDelivery } from './sign.ts'
import { changesFor } from './tamper.ts'

/** A delivery as it is to be posted. */
export interface PreparedDelivery {
  readonly path: string
  /** Their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

/**
 * What `deliverTo` of an adapter posts: a sample of the event, or one with `data` as its content, signed
 * as the service does (contract, section 5).
 *
 * @throws TypeError for an argument that cannot be right, or where there is no secret.
 */
export async function prepareDelivery(
  event: WebhookEvent | (string & {}),
  data?: Readonly<Record<string, unknown>>,
  options: DeliverOptions = {},
): Promise<PreparedDelivery> {
  if (typeof event !== 'string' || event === '') {
    throw new TypeError("The event should be a name, such as 'message.received'.")
  }
  if (data !== undefined && (typeof data !== 'object' || data === null || Array.isArray(data))) {
    throw new TypeError("The data should be an object, such as { text: 'hello' }.")
  }
  const { secret, path } = checkedDeliverOptions(options)
  const { headers = {}, now = Date.now, timestamp, id, instanceId, tamper } = options
  const { suffix, skew, rewrite } = changesFor(tamper)

  const clock = () => now() + skew * 1000
  const delivery = sampleDelivery(event, { data, id, instanceId, now: clock })
  const signed = await signDelivery(secret + suffix, delivery, { now: clock, timestamp })
  const sent = new Headers(signed.headers)
  for (const [name, value] of Object.entries(headers)) sent.set(name, value)
  return { path, headers: Object.fromEntries(sent), body: rewrite(signed.body) }
}
