import type { Meter } from '@opentelemetry/api'
import type {
  HandlingMessage,
  ReceivedMessage,
  RejectedMessage,
  StoreMessage,
} from '@webhook-receiver/core/diagnostics'
import { type FinalStep, messagingAttributes, outcomeAttributes } from './attributes.ts'

/** Those that the semantic conventions advise, and two more: a handler has 25 s by default, and may be given longer. */
const SECONDS = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 25, 60,
]

/** A delivery is signed a moment, or hours, before it comes. */
const AGES = [-60, -5, 0, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600, 21_600, 86_400]

/** Records the messages of the channels as metrics. docs/reference/telemetry.md has a row for each metric. */
export function createMetrics(meter: Meter, endpoints: readonly string[]) {
  const requests = meter.createCounter('webhook.receiver.requests', {
    unit: '{request}',
    description: 'Requests that a receiver accepted or rejected',
  })
  const deliveries = meter.createCounter('messaging.client.consumed.messages', {
    unit: '{message}',
    description: 'Deliveries that were accepted',
  })
  const handled = meter.createCounter('webhook.handler.deliveries', {
    unit: '{delivery}',
    description: 'Deliveries that came to a handler, by what became of them',
  })
  const calls = meter.createCounter('webhook.store.operations', {
    unit: '{operation}',
    description: 'Calls of the store, by result',
  })
  const seconds = (name: string, description: string, boundaries = SECONDS) =>
    meter.createHistogram(name, {
      unit: 's',
      description,
      advice: { explicitBucketBoundaries: boundaries },
    })
  const deciding = seconds('webhook.receiver.duration', 'How long a receiver took to decide')
  const processing = seconds('messaging.process.duration', 'How long the handling took')
  const calling = seconds('webhook.store.operation.duration', 'How long a call of the store took')
  const age = seconds('webhook.delivery.age', 'How long before it came a delivery was signed', AGES)

  // A series that begins at 1 is no increase for Prometheus, and a lost lease may be the only one of its day.
  for (const endpoint of endpoints) {
    requests.add(0, accepted(endpoint))
    for (const operation of ['extend', 'complete'] as const) {
      calls.add(0, storeCall(endpoint, operation, 'lost'))
    }
  }

  return {
    received(message: ReceivedMessage): void {
      const { endpoint, duration, age: old, skew } = message
      requests.add(1, accepted(endpoint))
      deliveries.add(1, {
        ...messagingAttributes('receive', endpoint),
        'webhook.event': eventOf(message),
        // The fingerprint of a secret without a name is none of the labels: there may be one for each tenant.
        ...(message.secret.name !== undefined && { 'webhook.secret': message.secret.name }),
      })
      if (duration !== undefined) deciding.record(duration, accepted(endpoint))
      if (old !== undefined) age.record(old - (skew ?? 0), { 'webhook.endpoint': endpoint })
    },

    rejected({ endpoint, duration, reason, status, authentic }: RejectedMessage): void {
      const outcome = { 'webhook.endpoint': endpoint, 'webhook.outcome': 'rejected' }
      requests.add(1, {
        ...outcome,
        'webhook.authentic': authentic,
        'http.response.status_code': status,
        'error.type': reason,
      })
      if (duration !== undefined) deciding.record(duration, outcome)
    },

    handled(step: FinalStep, message: HandlingMessage): void {
      const { endpoint, duration } = message
      const attributes = { 'webhook.event': eventOf(message), ...outcomeAttributes(step, message) }
      handled.add(1, { 'webhook.endpoint': endpoint, ...attributes })
      processing.record(duration, { ...messagingAttributes('process', endpoint), ...attributes })
    },

    stored({ endpoint, operation, result, duration }: StoreMessage): void {
      calls.add(1, storeCall(endpoint, operation, result))
      calling.record(duration, {
        'webhook.endpoint': endpoint,
        'webhook.store.operation': operation,
      })
    },
  }
}

function accepted(endpoint: string) {
  return { 'webhook.endpoint': endpoint, 'webhook.outcome': 'accepted' }
}

function storeCall(
  endpoint: string,
  operation: StoreMessage['operation'],
  result: StoreMessage['result'],
) {
  return {
    'webhook.endpoint': endpoint,
    'webhook.store.operation': operation,
    'webhook.store.result': result,
  }
}

/** The service may invent names of events at any time: those are no label of a metric. */
function eventOf({ event, known }: { readonly event: string; readonly known: boolean }): string {
  return known ? event : '_OTHER'
}
