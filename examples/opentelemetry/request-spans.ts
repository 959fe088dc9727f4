import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { RequestHandler } from 'express'

const tracer = trace.getTracer('webhook-receiver-example')

/**
 * The span of a request, which continues the trace of its `traceparent` header if it has one. The spans of
 * receiver, handler and store come below it. Leave this out where the instrumentation of HTTP is on.
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
