import type { BatchObservableCallback, Meter } from '@opentelemetry/api'
import type {
  HandlingMessage,
  ReceivedMessage,
  RejectedMessage,
  StoreMessage,
} from '@webhook-receiver/core'
import { type FinalStep, messagingAttributes, outcomeAttributes } from './attributes.ts'

/** Those that the semantic conventions advise, and two more: a handler has 25 s by default, and may be given longer. */
const SECONDS = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 25, 60,
]

/** A delivery is signed a moment, or hours, before it comes. */
const AGES = [-60, -5, 0, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600, 21_600, 86_400]

/** Records the messages of the channels as metrics. docs/reference/telemetry.md has a row for each metric. */
export function createMetrics(
  meter: Meter,
  endpoints: readonly string[],
  named: ReadonlySet<string>,
) {
  const requests = meter.createCounter('webhook.receiver.requests', {
    unit: '{request}',
    description: 'Requests that a receiver accepted or rejected',
  })
  const lost = meter.createCounter('webhook.receiver.lost', {
    unit: '{request}',
    description: 'Requests that got 401 although it is proven that the service signed them',
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
    lost.add(0, { 'webhook.endpoint': endpoint })
    for (const operation of ['extend', 'complete'] as const) {
      calls.add(0, storeCall(endpoint, operation, 'lost'))
    }
  }

  /** The service may invent names of events at any time: those are no label of a metric. */
  function eventOf({ scheme, event, known }: Pick<HandlingMessage, 'scheme' | 'event' | 'known'>) {
    const labels = { 'webhook.scheme': scheme }
    if (event === undefined) return labels
    return { ...labels, 'webhook.event': known || named.has(event) ? event : '_OTHER' }
  }

  return {
    received(message: ReceivedMessage): void {
      const { endpoint, duration, age: old, skew } = message
      requests.add(1, accepted(endpoint))
      deliveries.add(1, {
        ...messagingAttributes('receive', endpoint),
        ...eventOf(message),
        // The fingerprint of a secret without a name is none of the labels: there may be one for each tenant.
        ...(message.secret.name !== undefined && { 'webhook.secret': message.secret.name }),
      })
      if (duration !== undefined) deciding.record(duration, accepted(endpoint))
      if (old !== undefined) age.record(old - (skew ?? 0), { 'webhook.endpoint': endpoint })
    },

    rejected(message: RejectedMessage): void {
      const { endpoint, duration, reason, status, signatureValid, proven } = message
      const outcome = { 'webhook.endpoint': endpoint, 'webhook.outcome': 'rejected' }
      requests.add(1, {
        ...outcome,
        'webhook.signature_valid': signatureValid,
        'http.response.status_code': status,
        'error.type': reason,
      })
      // Most services do not retry a 401. What gets 5xx is counted above, and retried.
      if (proven && status === 401) lost.add(1, { 'webhook.endpoint': endpoint })
      if (duration !== undefined) deciding.record(duration, outcome)
    },

    handled(step: FinalStep, message: HandlingMessage): void {
      const { endpoint, duration } = message
      const attributes = { ...eventOf(message), ...outcomeAttributes(step, message) }
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

/** What of a quarantine is measured, as `folderQuarantine` has it. */
export interface CountedQuarantine {
  counts(): Readonly<
    Record<'trusted' | 'other', { readonly entries: number; readonly declined: number }>
  >
}

/** Reads the counts of a quarantine whenever metrics are collected. Returns a function that stops it. */
export function observeQuarantine(meter: Meter, quarantine: CountedQuarantine): () => void {
  const unit = '{request}'
  const kept = meter.createObservableGauge('webhook.quarantine.requests', {
    unit,
    description: 'Rejected requests that the quarantine holds',
  })
  const declined = meter.createObservableCounter('webhook.quarantine.declined', {
    unit,
    description: 'Rejected requests that it did not keep because a bound was reached',
  })
  const observe: BatchObservableCallback = (result) => {
    for (const [pool, counts] of Object.entries(quarantine.counts())) {
      const attributes = { 'webhook.quarantine.pool': pool }
      result.observe(kept, counts.entries, attributes)
      result.observe(declined, counts.declined, attributes)
    }
  }
  meter.addBatchObservableCallback(observe, [kept, declined])
  return () => meter.removeBatchObservableCallback(observe, [kept, declined])
}

/** What of an inbox is measured, as `postgresInbox` has it. */
export interface CountedInbox {
  stats(): Promise<
    readonly {
      readonly service: string
      readonly waiting: number
      readonly running: number
      readonly dead: number
      readonly oldestDue: number
    }[]
  >
}

/** Asks an inbox whenever metrics are collected. Returns a function that stops it. */
export function observeInbox(
  meter: Meter,
  inbox: CountedInbox,
  report: (error: unknown) => void,
): () => void {
  const deliveries = meter.createObservableGauge('webhook.inbox.deliveries', {
    unit: '{delivery}',
    description: 'Deliveries in the inbox that are not done, by state',
  })
  const oldest = meter.createObservableGauge('webhook.inbox.oldest_due', {
    unit: 's',
    description: 'How long the oldest delivery has been due',
  })
  const observe: BatchObservableCallback = async (result) => {
    // While the database is away, there is nothing to observe: its own alerts say so.
    const stats = await inbox.stats().catch(report)
    for (const { service, oldestDue, ...counts } of stats ?? []) {
      result.observe(oldest, oldestDue, { 'webhook.endpoint': service })
      for (const state of ['waiting', 'running', 'dead'] as const) {
        const attributes = { 'webhook.endpoint': service, 'webhook.inbox.state': state }
        result.observe(deliveries, counts[state], attributes)
      }
    }
  }
  meter.addBatchObservableCallback(observe, [deliveries, oldest])
  return () => meter.removeBatchObservableCallback(observe, [deliveries, oldest])
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
