// A receiver whose metrics Prometheus reads. Its parent tells it what its handler does.
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { metrics } from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import {
  deliveryHandler,
  handlerDiagnostics,
  memoryStore,
  receiverDiagnostics,
  webhookListener,
} from '@webhook-receiver/node'
import { instrumentWebhooks } from '@webhook-receiver/opentelemetry'
import { redisStore } from '@webhook-receiver/redis'
import { Redis } from 'ioredis'

const { endpoint, secrets, port, metricsPort, redisUrl, lease } = JSON.parse(process.argv[2])

const exporter = new PrometheusExporter({ host: '127.0.0.1', port: metricsPort })
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [exporter] }))
instrumentWebhooks({ endpoints: [endpoint] })

let handled = 0
const FAULTS = {
  none: async () => {},
  throws: async () => {
    throw new RangeError('The handler fails on purpose.')
  },
  slow: () => delay(6000),
  // Now and then a computation that lets nothing else run for longer than the lease.
  blocks: async () => {
    if (handled++ % 12 > 0) return
    await delay(10)
    const end = Date.now() + lease * 1500
    while (Date.now() < end);
  },
}
let fault = 'none'
process.on('message', (next) => {
  fault = next
})
process.on('disconnect', () => process.exit())

const listener = webhookListener(
  secrets,
  deliveryHandler(
    { any: () => FAULTS[fault]() },
    { store: openStore(), endpoint, lease, onRejected: false, ...handlerDiagnostics() },
  ),
  receiverDiagnostics({ endpoint, onRejected: false }),
)
createServer(listener).listen(port, '127.0.0.1', () => process.send('listening'))

function openStore() {
  if (redisUrl === undefined) return memoryStore()
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 })
  // What is wrong with the connection is in the answers as well.
  redis.on('error', () => {})
  return redisStore({ send: (command) => redis.call(...command) })
}
