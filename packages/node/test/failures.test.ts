import { createServer } from 'node:http'
import { describeFailures, type FailingSetup, listening } from '@webhook-receiver/conformance'
import { deliveryHandler, memoryStore, webhookListener } from '@webhook-receiver/node'

const handed = { handed: 'nothing' } as const

describeFailures(
  'node:http',
  ({ secret, handler }) => listening(createServer(webhookListener(secret, handler as () => void))),
  handed,
)

const stores = { 'without a store': {}, 'with a store': { store: memoryStore() } }
for (const [name, options] of Object.entries(stores)) {
  const start = ({ secret, handler }: FailingSetup) =>
    listening(createServer(webhookListener(secret, deliveryHandler({ any: handler }, options))))
  describeFailures(`node:http, deliveryHandler ${name}`, start, handed)
}
