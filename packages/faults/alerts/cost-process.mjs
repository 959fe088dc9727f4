// Prints the CPU time of a delivery that is verified and handled, in microseconds.
import { createReceiver } from '@webhook-receiver/core'
import { createDeliveryHandler, memoryStore } from '@webhook-receiver/core/handling'
import { createDelivery, randomSecret, signedRequest } from '@webhook-receiver/tools/signing.mjs'

const WARM_UP = 2000
const DELIVERIES = 6000

const mode = process.argv[2]
const secret = randomSecret()
const hooks = mode.startsWith('none') ? {} : await diagnostics()
if (mode.startsWith('metrics')) await instrument(mode === 'metrics and spans')
const receiver = createReceiver(secret, { ...hooks.receiver })
const handle = createDeliveryHandler(
  { any: async () => {} },
  { store: memoryStore(), ...hooks.handler },
)

const requests = Array.from({ length: WARM_UP + DELIVERIES }, () =>
  signedRequest(secret, createDelivery('message.received', { text: 'hello' })),
)
for (const request of requests.slice(0, WARM_UP)) await take(request)
const before = process.cpuUsage()
for (const request of requests.slice(WARM_UP)) await take(request)
const { user, system } = process.cpuUsage(before)
console.log((user + system) / DELIVERIES)
process.exit()

async function take({ headers, body }) {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const { delivery } = await receiver.receive({
    method: 'POST',
    header: (name) => lower.get(name),
    readBody: () => body,
    context: undefined,
  })
  await handle(delivery)
}

async function diagnostics() {
  const { handlerDiagnostics, receiverDiagnostics } = await import(
    '@webhook-receiver/core/diagnostics'
  )
  return { receiver: receiverDiagnostics(), handler: handlerDiagnostics() }
}

async function instrument(spans) {
  const { instrumentWebhooks } = await import('@webhook-receiver/opentelemetry')
  const { MeterProvider } = await import('@opentelemetry/sdk-metrics')
  const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus')
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node')
  const exporter = { export: (_spans, done) => done({ code: 0 }), shutdown: async () => {} }
  instrumentWebhooks({
    meterProvider: new MeterProvider({
      readers: [new PrometheusExporter({ preventServerStart: true })],
    }),
    ...(spans && {
      tracerProvider: new NodeTracerProvider({
        spanProcessors: [new BatchSpanProcessor(exporter)],
      }),
    }),
  })
}
