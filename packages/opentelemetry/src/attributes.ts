import type { Attributes } from '@opentelemetry/api'
import type { HandlingMessage } from '@webhook-receiver/core'

/** The steps of a delivery that end its handling. */
export type FinalStep = 'completed' | 'duplicate' | 'failed' | 'ignored'

/** What the semantic conventions ask of each span and metric of messaging. */
export function messagingAttributes(
  operation: 'receive' | 'process',
  endpoint: string,
): Attributes {
  return {
    'messaging.system': 'webhook',
    'messaging.operation.name': operation,
    'messaging.destination.name': endpoint,
  }
}

/** What became of a delivery. A copy of one that is being handled at this moment is neither a duplicate nor a failure. */
export function outcomeAttributes(
  step: FinalStep,
  { reason, errorName }: HandlingMessage,
): Attributes {
  if (step === 'failed') {
    return { 'webhook.outcome': step, 'error.type': reason ?? errorName ?? '_OTHER' }
  }
  return { 'webhook.outcome': reason === 'delivery_in_progress' ? 'in_progress' : step }
}
