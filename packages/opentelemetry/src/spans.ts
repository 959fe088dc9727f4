import { type Attributes, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type {
  HandlingMessage,
  ReceivedMessage,
  RejectedMessage,
  StoreMessage,
} from '@webhook-receiver/core'
import { type FinalStep, messagingAttributes, outcomeAttributes } from './attributes.ts'

interface Finished {
  readonly name: string
  readonly kind?: SpanKind
  readonly attributes: Attributes
  readonly failed?: boolean
}

/**
 * Makes spans of the messages of the channels. What a message reports is over, so each span is made with its start in the past:
 * those of receiver, handler and store are side by side below the span of the request.
 */
export function createSpans(tracer: Tracer) {
  function record(
    { at, duration = 0 }: { readonly at: number; readonly duration: number | undefined },
    { name, kind = SpanKind.INTERNAL, attributes, failed }: Finished,
  ): void {
    const span = tracer.startSpan(name, { kind, startTime: at - duration * 1000, attributes })
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(at)
  }

  return {
    received(message: ReceivedMessage): void {
      const { endpoint, scheme, id, event, secret } = message
      record(message, {
        name: `receive ${endpoint}`,
        attributes: {
          ...receiving(endpoint),
          'messaging.message.id': id,
          'webhook.scheme': scheme,
          'webhook.event': event,
          'webhook.outcome': 'accepted',
          'webhook.secret.fingerprint': secret.fingerprint,
          ...(secret.name !== undefined && { 'webhook.secret': secret.name }),
        },
      })
    },

    rejected(message: RejectedMessage): void {
      const { endpoint, scheme, reason, status, signatureValid } = message
      record(message, {
        name: `receive ${endpoint}`,
        attributes: {
          ...receiving(endpoint),
          'webhook.scheme': scheme,
          'webhook.outcome': 'rejected',
          'webhook.signature_valid': signatureValid,
          'http.response.status_code': status,
          'error.type': reason,
        },
        // As the conventions of HTTP have it: what is the sender's fault is no error of this server.
        failed: status >= 500,
      })
    },

    handled(step: FinalStep, message: HandlingMessage): void {
      const { endpoint, scheme, id, event } = message
      record(message, {
        name: `process ${endpoint}`,
        kind: SpanKind.CONSUMER,
        attributes: {
          ...messagingAttributes('process', endpoint),
          'messaging.operation.type': 'process',
          'messaging.message.id': id,
          'webhook.scheme': scheme,
          'webhook.event': event,
          ...outcomeAttributes(step, message),
        },
        failed: step === 'failed',
      })
    },

    stored(message: StoreMessage): void {
      const { endpoint, operation, result, errorName } = message
      const failed = result === 'failed'
      record(message, {
        name: `${operation} ${endpoint}`,
        attributes: {
          'webhook.endpoint': endpoint,
          'webhook.store.operation': operation,
          'webhook.store.result': result,
          ...(failed && { 'error.type': errorName ?? '_OTHER' }),
        },
        failed,
      })
    },
  }
}

function receiving(endpoint: string): Attributes {
  return {
    ...messagingAttributes('receive', endpoint),
    'messaging.operation.type': 'receive',
  }
}
