import { createDelivery, signedRequest as sign } from '../signing.mjs'
import { requestHead } from '../wire.mjs'

/** A delivery as bytes, and the line that an example prints for it. */
export interface SignedRequest {
  readonly head: string
  readonly body: Buffer
  readonly line: string
}

/** The request of a delivery, signed without the library. */
export function signedRequest(
  secret: string,
  content: Readonly<Record<string, unknown>> = { text: 'Grüße 👋\nto <you> & \u2028me' },
): SignedRequest {
  const delivery = createDelivery('message.received', content)
  const { headers, body } = sign(secret, delivery)
  const { id, event, data } = delivery
  const line = JSON.stringify({ id, event, instance_id: data.instance_id })
  return { head: requestHead(headers), body, line }
}
