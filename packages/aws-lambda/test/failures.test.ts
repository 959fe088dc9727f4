import { createServer } from 'node:http'
import { deliveryHandler, memoryStore, webhookHandler } from '@webhook-receiver/aws-lambda'
import { eventListener } from '@webhook-receiver/aws-lambda/testing'
import { describeFailures, type FailingSetup, listening } from '@webhook-receiver/conformance'

const handed = { handed: 'nothing' } as const

describeFailures(
  'aws-lambda',
  ({ secret, handler }) =>
    listening(createServer(eventListener(webhookHandler(secret, handler as () => void)))),
  handed,
)

const stores = { 'without a store': {}, 'with a store': { store: memoryStore() } }
for (const [name, options] of Object.entries(stores)) {
  const start = ({ secret, handler }: FailingSetup) => {
    const handle = deliveryHandler({ any: handler }, options)
    return listening(createServer(eventListener(webhookHandler(secret, handle))))
  }
  describeFailures(`aws-lambda, deliveryHandler ${name}`, start, handed)
}
