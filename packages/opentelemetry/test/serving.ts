import type { RequestListener } from 'node:http'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { serving } from '@webhook-receiver/checks/serving.mjs'
import type { Quarantine } from '@webhook-receiver/core'
import { type InboxConnection, postgresInbox } from '@webhook-receiver/inbox'
import { type DeliveryStore, memoryStore, webhookHandler } from '@webhook-receiver/node'
import { deliverTo, sampleDelivery } from '@webhook-receiver/node/testing'
import { type InstrumentationOptions, instrumentWebhooks } from '../src/index.ts'

export const SECRETS = {
  current: 'whsec_canary_of_now',
  previous: 'whsec_canary_of_before',
}

/** In the body of each delivery. */
export const BODY = 'canary-in-the-body'

/** A real OpenTelemetry SDK, whose metrics are read as Prometheus reads them. */
export function createSdk() {
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const spans = new InMemorySpanExporter()
  const meterProvider = new MeterProvider({ readers: [exporter] })
  const tracerProvider = new NodeTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spans)],
  })
  const scrape: RequestListener = (req, res) => exporter.getMetricsRequestHandler(req, res)
  return {
    providers: { meterProvider, tracerProvider },
    spans: () => spans.getFinishedSpans(),
    /** The samples by name and labels, without those of the scope. */
    async metrics(): Promise<ReadonlyMap<string, number>> {
      const text = await (await fetch(await serving(scrape))).text()
      return new Map(
        [...text.matchAll(/^(?!#)(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
          ([, name, labels = '', value]) => {
            const kept = [...labels.matchAll(/(\w+)="([^"]*)"/g)]
              .filter(([, label]) => !label?.startsWith('otel_scope'))
              .map(([, label, content]) => `${label}=${content}`)
            return [`${name} ${kept.sort().join(' ')}`.trim(), Number(value)]
          },
        ),
      )
    },
  }
}

/** What sends a delivery to a receiver that publishes for `endpoint`, and resolves to the status. Its handler throws for `{ fail: true }`. */
export function receiver({
  store = memoryStore() as DeliveryStore,
  endpoint = 'default',
  quarantine = undefined as Quarantine | undefined,
} = {}) {
  const handler = webhookHandler(
    SECRETS,
    {
      'message.received': async ({ data }) => {
        if (data.data.fail) throw new RangeError(JSON.stringify(data))
      },
    },
    { store, endpoint, quarantine, onRejected: false, onError: () => {} },
  )
  return async (
    event: string,
    { id = 'the-id', secret = SECRETS.current, ago = 0, data = {} } = {},
  ): Promise<number> => {
    const now = () => Date.now() - ago * 1000
    const sent = { ...data, note: BODY }
    return (await deliverTo(handler, event, sent, { id, secret, now })).status
  }
}

/** An inbox in a database of its own, and what stores a delivery in it. */
export async function createInbox() {
  const db = new PGlite()
  const connection: InboxConnection<Transaction> = {
    transaction: (work) => db.transaction(work),
    query: (client, text, values) => client.query(text, values),
  }
  const inbox = postgresInbox({
    ...connection,
    services: { orders: { handlers: async () => {} } },
  })
  await inbox.setup()
  const receive = inbox.receive('orders')
  return {
    inbox,
    store: (id: string) =>
      receive(sampleDelivery('message.received', { id }), {
        verification: { endpoint: 'default', key: id },
      }),
  }
}

/** Instruments with an SDK of its own for the time of `work`. */
export async function withTelemetry(
  work: (sdk: ReturnType<typeof createSdk>) => Promise<void>,
  options: InstrumentationOptions = {},
): Promise<void> {
  const sdk = createSdk()
  const stop = instrumentWebhooks({ ...sdk.providers, ...options })
  try {
    await work(sdk)
  } finally {
    stop()
  }
}
