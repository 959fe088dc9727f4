import { subscribe } from 'node:diagnostics_channel'
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type {
  HandlingMessage,
  ReceivedMessage,
  RejectedMessage,
} from '@webhook-receiver/core/diagnostics'
import { CHANNELS } from '@webhook-receiver/core/diagnostics'
import type { RequestHandler } from 'express'

const tracer = trace.getTracer('webhook-receiver')
const meter = metrics.getMeter('webhook-receiver')

const verdicts = meter.createCounter('webhook.verdicts', {
  description: 'Requests that were received as deliveries, or rejected, by reason',
})
const age = meter.createHistogram('webhook.age', {
  unit: 's',
  description: 'How long ago deliveries were signed; below 0 where the sender has a faster clock',
})
const handled = meter.createCounter('webhook.handled', {
  description: 'Deliveries by what became of them',
})
const duration = meter.createHistogram('webhook.handling.duration', {
  unit: 's',
  description: 'How long handlers took',
})

on(CHANNELS.received, (message: ReceivedMessage) => {
  const { endpoint, event, known, id, secret } = message
  // An event that is not known is a name that the service may invent at any time: no label for a metric.
  const labels = { endpoint, event: known ? event : 'unknown' }
  verdicts.add(1, { ...labels, verdict: 'received' })
  if (message.age !== undefined) age.record(message.age - (message.skew ?? 0), labels)
  const attributes = { 'webhook.id': id, 'webhook.event': event, 'webhook.endpoint': endpoint }
  span('webhook.receive', message, {
    ...attributes,
    'webhook.secret': secret.name ?? secret.fingerprint,
  })
})

on(CHANNELS.rejected, (message: RejectedMessage) => {
  const { endpoint, reason } = message
  verdicts.add(1, { endpoint, verdict: 'rejected', reason })
  span('webhook.receive', message, { 'webhook.endpoint': endpoint }, reason)
})

for (const outcome of ['duplicate', 'completed', 'failed', 'ignored'] as const) {
  on(CHANNELS[outcome], (message: HandlingMessage) => {
    const { endpoint, event, known, id, reason, errorName } = message
    const labels = { endpoint, event: known ? event : 'unknown', outcome }
    handled.add(1, { ...labels, ...(reason && { reason }) })
    duration.record(message.duration, labels)
    const attributes = { 'webhook.id': id, 'webhook.event': event, 'webhook.endpoint': endpoint }
    const fault = outcome === 'failed' ? (reason ?? errorName ?? 'error') : undefined
    span('webhook.handle', message, { ...attributes, 'webhook.outcome': outcome }, fault)
  })
}

/** The messages come on one channel each, and have the type of that channel. */
function on<Message>(channel: string, listener: (message: Message) => void): void {
  subscribe(channel, (message) => listener(message as Message))
}

/** A span of what is over, below the one of its request. */
function span(
  name: string,
  { at, duration = 0 }: { readonly at: number; readonly duration: number | undefined },
  attributes: Readonly<Record<string, string>>,
  fault?: string,
): void {
  const made = tracer.startSpan(name, { startTime: at - duration * 1000, attributes })
  if (fault) made.setAttribute('error.type', fault).setStatus({ code: SpanStatusCode.ERROR })
  made.end(at)
}

/**
 * The span of a request, which continues the trace of its `traceparent` header if it has one. What is subscribed
 * to above, and what the handlers do, comes below it. Leave this out where the instrumentation of HTTP is on.
 *
 * The header is not signed. Whoever can reach this server can name any trace in it.
 */
export const requestSpans: RequestHandler = (req, res, next) => {
  const parent = propagation.extract(context.active(), req.headers)
  const request = tracer.startSpan(`${req.method} ${req.path}`, { kind: SpanKind.SERVER }, parent)
  res.once('close', () => {
    request.setAttribute('http.response.status_code', res.statusCode)
    if (res.statusCode >= 500) request.setStatus({ code: SpanStatusCode.ERROR })
    request.end()
  })
  context.with(trace.setSpan(parent, request), next)
}
