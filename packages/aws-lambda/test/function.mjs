// A function of Lambda that the runtime interface loads, for processes.test.ts.
import { webhookHandler } from '@webhook-receiver/aws-lambda'

export const handler = webhookHandler('whsec_function', {
  'message.received': (delivery) => console.log('handled', delivery.id),
  'message.read': () => new Promise(() => {}),
})

/** It keeps no time, and nothing else keeps the process alive. */
export const hangs = webhookHandler('whsec_function', () => new Promise(() => {}))

/** What an application writes by itself: a control. */
export const byHand = () => new Promise(() => {})
