// What a library or a project with references exports: its declarations have to name the type of each.
import { createDeliveryHandler, createReceiver } from '@webhook-receiver/core'
import { appStore, googleCloudTasks, googlePubSub, livekit, qstash } from '@webhook-receiver/jwt'
import {
  defineScheme,
  github,
  line,
  stripe,
  telnyx,
  twilio,
  typed,
} from '@webhook-receiver/schemes'

export const receiver = createReceiver('whsec_test', { scheme: stripe })
export const receive = async (request: Request) => await receiver.receiveRequest(request)
export const handle = createDeliveryHandler({ any: async ({ id }) => console.log(id) })
export const audience = 'https://example.com/webhooks'
export const tokens = {
  appStore: appStore({ appAppleId: 1234567890 }),
  googleCloudTasks: googleCloudTasks({ audience }),
  googlePubSub: googlePubSub({ audience }),
  livekit,
  qstash,
}
export const schemes = {
  github: typed<{ push: { ref: string } }>(github),
  line,
  own: defineScheme(stripe.value),
  stripe: typed<{ 'invoice.paid': { id: string } }>(stripe),
  telnyx: typed<{ 'call.hangup': { id: string } }>(telnyx),
  twilio: typed<{ sent: { From: string } }>(twilio),
}
