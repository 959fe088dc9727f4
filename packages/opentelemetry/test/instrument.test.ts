import { channel } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { context, diag, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { CHANNELS } from '@webhook-receiver/core'
import { memoryStore } from '@webhook-receiver/node'
import { folderQuarantine } from '@webhook-receiver/quarantine'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { instrumentWebhooks } from '../src/index.ts'
import { BODY, createInbox, createSdk, receiver, SECRETS, withTelemetry } from './serving.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

afterEach(() => {
  diag.disable()
})

/** Those of a counter or histogram, without buckets. */
function samples(all: ReadonlyMap<string, number>, name: string): Record<string, number> {
  const found = [...all].filter(([key]) => key.split(' ')[0] === name)
  return Object.fromEntries(found.map(([key, value]) => [key.slice(name.length + 1), value]))
}

/** Publishes as core does, a message of `endpoint` that took no time. */
function publish(step: keyof typeof CHANNELS, message: object) {
  channel(CHANNELS[step]).publish({ at: 1, duration: 0, endpoint: 'default', id: '1', ...message })
}

test('counters and histograms say what became of requests, deliveries and calls of the store', () =>
  withTelemetry(async ({ metrics }) => {
    const send = receiver()
    for (const [status, sent, event = 'message.received'] of [
      [204, {}],
      [204, {}],
      [204, { id: 'old', secret: SECRETS.previous, ago: 100 }],
      [500, { id: 'failing', data: { fail: true } }],
      [204, { id: 'new' }, 'message.reacted'],
      [401, { secret: 'whsec_of_another' }],
      [401, { ago: 400 }],
    ] as const)
      expect(await send(event, sent)).toBe(status)

    const all = await metrics()
    const counted = [...all].filter(([name]) => !/_(?:bucket|sum)\b|^target_info/.test(name))
    const text = counted.map((sample) => `${sample.join(' ')}\n`).sort()
    // In `lost` is the one that is too old: who forged the other one is not known.
    await expect(text.join('')).toMatchFileSnapshot('metrics.txt')
    expect(
      samples(all, 'webhook_delivery_age_sum')['webhook_endpoint=default'],
    ).toBeGreaterThanOrEqual(100)

    const everything = JSON.stringify([...all])
    for (const canary of [...Object.values(SECRETS), BODY, 'the-id', '127.0.0.1']) {
      expect(everything).not.toContain(canary)
    }
  }))

test('a copy of a delivery that is being handled is in progress, and no failure', () =>
  withTelemetry(async ({ metrics }) => {
    const claim = async () => ({ status: 'in_progress', retryAfter: 1 }) as const
    const send = receiver({ store: { ...memoryStore(), claim } })
    expect(await send('message.received')).toBe(503)
    expect(samples(await metrics(), 'webhook_handler_deliveries_total')).toEqual({
      'webhook_endpoint=default webhook_event=message.received webhook_outcome=in_progress webhook_scheme=contract': 1,
    })
  }))

test('another service has its scheme, and the events that are named', () =>
  withTelemetry(
    async ({ metrics, spans }) => {
      for (const event of ['push', 'invented', undefined]) {
        publish('completed', { endpoint: 'github', scheme: 'github', event })
      }
      const process =
        'messaging_destination_name=github messaging_operation_name=process messaging_system=webhook'
      const outcome = 'webhook_outcome=completed webhook_scheme=github'
      expect(samples(await metrics(), 'messaging_process_duration_count')).toEqual({
        [`${process} webhook_event=push ${outcome}`]: 1,
        [`${process} webhook_event=_OTHER ${outcome}`]: 1,
        [`${process} ${outcome}`]: 1,
      })
      expect(spans().map(({ attributes }) => attributes)).toMatchObject([
        { 'webhook.scheme': 'github', 'webhook.event': 'push' },
        { 'webhook.scheme': 'github', 'webhook.event': 'invented' },
        { 'webhook.scheme': 'github' },
      ])
    },
    { events: ['push'] },
  ))

test('the count of accepted deliveries begins at 0 for each endpoint that is named', () =>
  withTelemetry(
    async ({ metrics }) => {
      expect(samples(await metrics(), 'webhook_receiver_requests_total')).toEqual({
        'webhook_endpoint=billing webhook_outcome=accepted': 0,
        'webhook_endpoint=orders webhook_outcome=accepted': 0,
      })
    },
    { endpoints: ['billing', 'orders'] },
  ))

test('what a quarantine holds and has declined is counted by pool, until it is stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'telemetry-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const quarantine = folderQuarantine(join(folder, 'kept'), { maxEntries: 1 })
  const sdk = createSdk()
  const stop = instrumentWebhooks({ ...sdk.providers, quarantine })
  const send = receiver({ quarantine })
  for (let count = 0; count < 3; count++) {
    expect(await send('message.received', { secret: 'whsec_of_another' })).toBe(401)
  }
  expect(samples(await sdk.metrics(), 'webhook_quarantine_requests')).toEqual({
    'webhook_quarantine_pool=trusted': 0,
    'webhook_quarantine_pool=other': 1,
  })
  expect(samples(await sdk.metrics(), 'webhook_quarantine_declined_total')).toEqual({
    'webhook_quarantine_pool=trusted': 0,
    'webhook_quarantine_pool=other': 2,
  })
  stop()
  const counts = vi.spyOn(quarantine, 'counts')
  await sdk.metrics()
  expect(counts).not.toHaveBeenCalled()
})

test('what waits in an inbox and what is dead is counted by service, until it is stopped', async () => {
  const { inbox, store } = await createInbox()
  const sdk = createSdk()
  const stop = instrumentWebhooks({ ...sdk.providers, inbox })
  await store('one')
  await store('two')
  const counted = await sdk.metrics()
  expect(samples(counted, 'webhook_inbox_deliveries')).toEqual({
    'webhook_endpoint=orders webhook_inbox_state=waiting': 2,
    'webhook_endpoint=orders webhook_inbox_state=running': 0,
    'webhook_endpoint=orders webhook_inbox_state=dead': 0,
  })
  const oldest = samples(counted, 'webhook_inbox_oldest_due')
  expect(oldest).toEqual({ 'webhook_endpoint=orders': expect.any(Number) })
  stop()
  const stats = vi.spyOn(inbox, 'stats')
  await sdk.metrics()
  expect(stats).not.toHaveBeenCalled()
})

test('an inbox whose database is away is no sample, and the other metrics stay', async () => {
  const error = vi.spyOn(diag, 'error').mockReturnValue()
  const away = new Error('connect ECONNREFUSED')
  const sdk = createSdk()
  const inbox = { stats: () => Promise.reject(away) }
  const stop = instrumentWebhooks({ ...sdk.providers, inbox })
  const counted = await sdk.metrics()
  stop()
  expect(samples(counted, 'webhook_inbox_deliveries')).toEqual({})
  expect(samples(counted, 'webhook_receiver_requests_total')).not.toEqual({})
  expect(error).toHaveBeenCalledWith(expect.stringContaining('inbox'), away)
})

test('spans of receiver, handler and store follow the conventions and quote nothing', () =>
  withTelemetry(async ({ spans }) => {
    const send = receiver({ endpoint: 'orders' })
    await send('message.received', { id: 'failing', data: { fail: true } })
    await send('message.received', { secret: 'whsec_of_another' })
    const found = spans().map(({ name, kind, status, attributes, instrumentationScope }) => {
      expect(instrumentationScope.name).toBe('@webhook-receiver/opentelemetry')
      return { name, kind: SpanKind[kind], status: SpanStatusCode[status.code], ...attributes }
    })
    const text = JSON.stringify(found, null, 2).replace(/"[\da-f]{8}"/, '"of the secret"')
    await expect(`${text}\n`).toMatchFileSnapshot('spans.json')
    const everything = JSON.stringify(found)
    for (const canary of [...Object.values(SECRETS), BODY]) expect(everything).not.toContain(canary)
  }))

test('a span has the duration of what it reports, and the span of the request as its parent', () =>
  withTelemetry(async ({ providers: { tracerProvider }, spans }) => {
    tracerProvider.register()
    const request = tracerProvider.getTracer('test').startSpan('POST')
    const at = { at: 1_800_000_000_000, duration: 1.5 }
    context.with(trace.setSpan(context.active(), request), () =>
      publish('store', { ...at, operation: 'claim', result: 'failed' }),
    )
    trace.disable()
    context.disable()
    expect(spans()).toMatchObject([
      {
        parentSpanContext: { spanId: request.spanContext().spanId },
        startTime: [1_799_999_998, 500_000_000],
        duration: [1, 500_000_000],
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': '_OTHER' },
      },
    ])
  }))

test('an error of the receiver itself is a span with an error', () =>
  withTelemetry(async ({ spans }) => {
    publish('rejected', { signatureValid: true, reason: 'schema_mismatch', status: 500 })
    expect(spans()).toMatchObject([{ status: { code: SpanStatusCode.ERROR } }])
  }))

const received = { event: 'message.read', known: true }

test('a secret without a name is in no metric, and its fingerprint is in the span', () =>
  withTelemetry(async ({ metrics, spans }) => {
    publish('received', { ...received, duration: undefined, secret: { fingerprint: '0123abcd' } })
    const all = await metrics()
    expect([...all.keys()].join('\n')).not.toContain('webhook_secret')
    expect(samples(all, 'webhook_delivery_age_count')).toEqual({})
    expect(spans()).toMatchObject([{ attributes: { 'webhook.secret.fingerprint': '0123abcd' } }])
    expect(spans()[0]?.attributes).not.toHaveProperty('webhook.secret')
  }))

test('the age of a delivery is without what the clocks differ', () =>
  withTelemetry(async ({ metrics }) => {
    publish('received', { ...received, age: 100, skew: 70, secret: { name: 'current' } })
    const ages = samples(await metrics(), 'webhook_delivery_age_sum')
    expect(Object.values(ages)).toEqual([30])
  }))

test('nothing is subscribed before instrumentWebhooks is called, nor after it is stopped', () => {
  const subscribed = () => Object.values(CHANNELS).filter((name) => channel(name).hasSubscribers)
  expect(subscribed()).toEqual([])
  const stop = instrumentWebhooks(createSdk().providers)
  expect(subscribed()).toEqual(Object.values(CHANNELS).filter((name) => name !== CHANNELS.claimed))
  stop()
  expect(subscribed()).toEqual([])
})

test('a failure of the telemetry reaches neither the sender nor the process', async () => {
  const error = vi.fn()
  diag.setLogger({ error } as never)
  const uncaught = vi.fn()
  process.on('uncaughtException', uncaught)
  const broken = new RangeError('broken')
  const tracerProvider = {
    getTracer: () => ({
      startSpan() {
        throw broken
      },
    }),
  }
  const stop = instrumentWebhooks({ tracerProvider: tracerProvider as never })
  const send = receiver()
  expect(await send('message.received')).toBe(204)
  stop()
  process.off('uncaughtException', uncaught)
  expect(error).toHaveBeenCalledWith(expect.stringContaining(CHANNELS.received), broken)
  expect(uncaught).not.toHaveBeenCalled()
})

test.each([
  [{ endpoints: 'default' }, /endpoints.*an array of names/],
  [{ tracerProvider: {} }, /tracerProvider.*a TracerProvider/],
  [{ meterProvider: 1 }, /meterProvider.*a MeterProvider/],
  [{ meters: 1 }, /meters/],
  [{ quarantine: {} }, /quarantine.*a quarantine, such as/],
  [{ inbox: {} }, /inbox.*an inbox, such as/],
])('rejects the option %j', (options, message) => {
  expect(() => instrumentWebhooks(options as never)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(message) }),
  )
})

test('warns where no SDK is registered yet, and where it is called twice', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const stopEarly = instrumentWebhooks()
  expect(warn.mock.calls).toEqual([[expect.stringContaining('before the OpenTelemetry SDK')]])
  stopEarly()
  warn.mockClear()

  const sdk = createSdk()
  trace.setGlobalTracerProvider(sdk.providers.tracerProvider)
  onTestFinished(() => trace.disable())
  // Metrics may be left out.
  const stopSpans = instrumentWebhooks()
  stopSpans()
  const stop = instrumentWebhooks(sdk.providers)
  expect(warn).not.toHaveBeenCalled()
  const stopSecond = instrumentWebhooks(sdk.providers)
  expect(warn.mock.calls).toEqual([[expect.stringContaining('called twice')]])
  for (const end of [stopSecond, stop]) end()
})
