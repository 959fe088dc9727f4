import { metrics } from '@opentelemetry/api'
import {
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node'

// Writes to standard error. For a collector, use OTLPTraceExporter and OTLPMetricExporter of @opentelemetry/exporter-*-otlp-http.
const spans: SpanExporter = {
  export(finished, done) {
    for (const span of finished) {
      const { traceId, spanId } = span.spanContext()
      const { name, parentSpanContext, status, attributes } = span
      const parent = parentSpanContext?.spanId
      console.error(
        JSON.stringify({ span: name, traceId, spanId, parent, status: status.code, attributes }),
      )
    }
    done({ code: 0 })
  },
  shutdown: async () => {},
}

const numbers: PushMetricExporter = {
  export({ scopeMetrics }, done) {
    for (const { descriptor, dataPoints } of scopeMetrics.flatMap((scope) => scope.metrics)) {
      for (const { attributes, value } of dataPoints) {
        console.error(JSON.stringify({ metric: descriptor.name, attributes, value }))
      }
    }
    done({ code: 0 })
  },
  selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
  forceFlush: async () => {},
  shutdown: async () => {},
}

const tracerProvider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(spans)] })
const meterProvider = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: numbers, exportIntervalMillis: 60_000 })],
})

// Makes the context follow asynchronous calls, and reads `traceparent`.
tracerProvider.register()
metrics.setGlobalMeterProvider(meterProvider)

/** Sends the remaining spans and metrics. */
export async function stopTelemetry(): Promise<void> {
  await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()])
}
