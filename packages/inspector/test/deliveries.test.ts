import { createEmulator } from '@webhook-receiver/emulator'
import type { Inspector } from '@webhook-receiver/inspector'
import { twilio } from '@webhook-receiver/schemes'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { conclude } from '../page/conclusion.ts'
import { resultText } from '../page/format.ts'
import type { Row } from '../src/row.ts'
import {
  arrived,
  ask,
  BODY,
  inspecting,
  load,
  post,
  readStream,
  responding,
  rowsOf,
  SECRET,
  SIGNED,
  sendAndLoad,
  serve,
  settled,
  startInspector,
  startReceiver,
} from './setup.ts'

function receive(inspector: Inspector, count: number): Promise<unknown> {
  const target = inspector.addTarget({ url: 'http://localhost:1/', secret: SECRET })
  const one = arrived()
  return Promise.all(Array.from({ length: count }, () => inspector.received(one, target)))
}

it('sends a delivery of the page, signed, and shows the request, what was signed and the response', async () => {
  const receiver = await startReceiver()
  const { url } = await inspecting({ url: receiver.url })
  const { attempt, ...view } = await sendAndLoad(url, SIGNED)
  expect(receiver.ids).toEqual(['d1'])
  const { event, id } = JSON.parse(BODY)
  expect(view).toMatchObject({ event, id, status: 204, outcome: 'delivered' })
  const headers = new Map<string, string>(attempt.headers)
  const signature = headers.get('X-Webhook-Signature')
  expect(attempt).toMatchObject({
    body: { text: BODY },
    verdict: { valid: true },
    dot: 'good',
    signature: {
      received: signature,
      signed: [
        { part: 'timestamp', text: headers.get('X-Webhook-Timestamp') },
        { part: '', text: '.' },
        { part: 'body', text: BODY },
      ],
      unsigned: [],
      expected: [{ secretName: 'secret', signature, equal: true }],
    },
  })
})

it('sends the same bytes again, and signs again', async () => {
  const receiver = await startReceiver()
  let time = 1_767_225_600_000
  const tolerance = Number.POSITIVE_INFINITY
  const { url } = await inspecting({ url: receiver.url }, { now: () => time, tolerance })
  const first = await sendAndLoad(url, SIGNED)
  time += 60_000
  const from = { n: first.n, attempt: 1 }
  const same = await sendAndLoad(url, { from })
  expect([same.attempt.headers, same.note]).toEqual([first.attempt.headers, undefined])
  const { attempt } = await sendAndLoad(url, { from, sign: true })
  expect(attempt.verdict.valid).toBe(true)
  expect(new Map(attempt.headers).get('X-Webhook-Timestamp')).toBe('1767225660')
})

it('sends copies at once, as attempts of one delivery', async () => {
  const held: (() => void)[] = []
  const target = await serve((req, res) =>
    req.resume().on('end', () => {
      held.push(() => res.writeHead(204).end())
      if (held.length === 12) for (const respond of held) respond()
    }),
  )
  const { url } = await inspecting({ url: target })
  const warned = vi.spyOn(process, 'emitWarning')
  // More requests at a time than Node expects of one signal.
  const view = await sendAndLoad(url, { ...SIGNED, copies: 12 })
  expect(view.all.map(({ status }: { status: number }) => status)).toEqual(Array(12).fill(204))
  expect(warned).not.toHaveBeenCalled()
})

it('has at most 500 requests of the page under way', async () => {
  const held: (() => void)[] = []
  const target = await serve((req, res) =>
    req.resume().on('end', () => void held.push(() => res.writeHead(204).end())),
  )
  const { url } = await inspecting({ url: target })
  const send = async (copies: number) => (await post(url, 'send', { ...SIGNED, copies })).status
  for (let time = 0; time < 5; time++) expect(await send(100)).toBe(200)
  expect(await send(1)).toBe(503)
  await expect.poll(() => held.length).toBe(500)
  for (const respond of held) respond()
  await expect.poll(() => send(1)).toBe(200)
})

it('keeps a body of 1 MiB and bytes that are not text, byte for byte, also in the capture', async () => {
  const target = await responding()
  const { url } = await inspecting({ url: target })
  const body = Buffer.alloc(1_048_576, Uint8Array.from([0xff, 0xfe, 0x00, 0x41]))
  const base64 = body.toString('base64')
  const { n, attempt } = await sendAndLoad(url, { target: 'it', body: { base64 }, sign: true })
  expect(attempt.body).toEqual({ base64 })
  const { headers, text } = await ask(`${url}api/capture?n=${n}&attempt=1`)
  expect(headers['content-disposition']).toContain('attachment')
  expect(JSON.parse(text)).toMatchObject({ format: 'webhook-receiver-capture', body: { base64 } })
})

it('shows what an emulator sends, faults and all, and never a secret', async () => {
  const { inspector, url } = await startInspector()
  const registered: string[] = []
  const emulator = createEmulator({
    retries: [],
    onRegistered: (webhook) => {
      registered.push(webhook.secret)
      inspector.addTarget(webhook)
    },
  })
  inspector.watch(emulator)
  await emulator.start()
  onTestFinished(() => emulator.stop())
  const target = await responding()
  emulator.register({ url: target, events: ['message.read'] })
  await emulator.emit('message.read', {}, { fault: 'tamper' })
  const view = await settled(url, 1)
  expect(view.all.map(({ dot }: { dot: string }) => dot)).toEqual(['wrong', 'good'])
  const forged = await load(url, 1, 1)
  expect(forged.attempt.verdict.reason).toBe('signature_mismatch')
  await emulator.emit('message.read', {}, { fault: 'message_body_alone' })
  await settled(url, 2)
  const mistaken = await load(url, 2, 1)
  expect(conclude(mistaken).sentence).toBe(
    'Your server accepted it: tampered with (message_body_alone).',
  )
  const stream = await readStream(url, (messages) => rowsOf(messages).length > 0)
  const everything = JSON.stringify([view, forged, mistaken, stream])
  expect(registered).toHaveLength(1)
  for (const secret of registered) expect(everything).not.toContain(secret)
})

it('shows when the service retries, until it does or is stopped', async () => {
  const { inspector, url } = await startInspector()
  let requests = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const target = await serve((req, res) =>
    req.resume().on('end', async () => {
      requests += 1
      if (requests > 1) await released
      res.writeHead(503).end()
    }),
  )
  const emulator = createEmulator({ retries: [0, 30] })
  inspector.watch(emulator)
  await emulator.start()
  emulator.register({ url: target, events: ['message.read'] })
  const rowThat = async (dots: string, isWanted: (row: Row) => boolean): Promise<Row> => {
    const isIt = (row: Row) => `${row.dots}` === dots && isWanted(row)
    return rowsOf(await readStream(url, (seen) => rowsOf(seen).some(isIt))).findLast(isIt)
  }
  const sent = emulator.emit('message.read')
  await rowThat('fail,pending', ({ retryAt }) => retryAt === undefined)
  const before = Date.now()
  release()
  const { retryAt = 0, ...row } = await rowThat('fail,fail', (row) => row.retryAt !== undefined)
  // Of an emulator whose secrets are not known.
  expect(row.verdict).toBeUndefined()
  expect(retryAt).toBeGreaterThanOrEqual(before + 30_000)
  expect(resultText({ ...row, retryAt }, retryAt - 29_500)).toBe('✗ server error, retry in 30 s')
  expect(conclude(await load(url, 1)).sentence).toMatch(
    /failed with 503\. The service retries it\.$/,
  )
  await emulator.stop()
  await sent
  await rowThat('fail,fail', (row) => row.outcome === 'stopped' && row.retryAt === undefined)
})

it('gives a page that connects again what it missed, each delivery once', async () => {
  const { inspector, url } = await startInspector()
  await receive(inspector, 5)
  const first = await readStream(url, (messages) => rowsOf(messages).length >= 5)
  const last = first.findLast(({ id }) => id !== undefined)?.id
  await receive(inspector, 3)
  const second = await readStream(url, (messages) => rowsOf(messages).length >= 3, last)
  expect(rowsOf(first).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5])
  expect(rowsOf(second).map(({ n }) => n)).toEqual([6, 7, 8])
  const other = await readStream(url, (messages) => rowsOf(messages).length >= 8, 'another-5')
  expect(rowsOf(other)).toHaveLength(8)
})

it('says why a body cannot be signed', async () => {
  const options = { scheme: twilio, publicUrl: 'https://example.com' }
  const { url } = await inspecting({ secret: 'a-token-for-tests' }, options)
  const { status, text } = await post(url, 'send', { ...SIGNED, body: { text: '{"a":1}' } })
  expect([status, text]).toEqual([
    422,
    expect.stringContaining('nothing that Twilio signs: a form'),
  ])
})

describe('without options', () => {
  const countsOf = async (url: string) => {
    const isCounted = ({ event }: { readonly event?: string }) => event === 'state'
    const messages = await readStream(url, (seen) => seen.some(isCounted))
    return messages.findLast(isCounted)?.data.counts
  }

  it('keeps the last 10,000 deliveries', async () => {
    const { inspector, target, url } = await inspecting()
    const rejection = { status: 413, reason: 'body_too_large', detail: '' }
    const add = () => inspector.received(arrived('', { status: 413, rejection }), target)
    for (let count = 0; count < 10_000; count++) await add()
    expect(await countsOf(url)).toMatchObject({ total: 10_000, first: 1, dropped: 0 })
    await add()
    expect(await countsOf(url)).toMatchObject({ total: 10_001, first: 2, dropped: 1 })
  })

  it('keeps up to 32 MiB of them', async () => {
    const { inspector, target, url } = await inspecting()
    const add = () => inspector.received(arrived(Buffer.alloc(2 ** 20, 'a')), target)
    for (let count = 0; count < 31; count++) await add()
    expect(await countsOf(url)).toMatchObject({ first: 1, dropped: 0 })
    await add()
    const { dropped, bytes } = await countsOf(url)
    expect(dropped).toBe(1)
    expect(bytes).toBeLessThanOrEqual(33_554_432)
  })

  it('waits 10 s for a response', async () => {
    const target = await serve(() => vi.advanceTimersByTime(10_000))
    const { url } = await inspecting({ url: target })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { attempt } = await sendAndLoad(url, SIGNED)
    expect(attempt.error).toBe('no response within 10 s')
  })
})

it('drops the oldest deliveries, and says so', async () => {
  const { inspector, url } = await startInspector({ history: 100 })
  await receive(inspector, 2_000)
  const messages = await readStream(url, (seen) => rowsOf(seen).length >= 100)
  expect(rowsOf(messages).map(({ n }) => n)).toEqual(
    Array.from({ length: 100 }, (_, i) => 1_901 + i),
  )
  const { counts } = messages.findLast(({ event }) => event === 'state')?.data ?? {}
  expect(counts).toMatchObject({ total: 2_000, first: 1_901 })
  expect((await load(url, 2_000)).attempt.body).toEqual({ text: BODY })
  expect((await ask(`${url}api/attempt?n=1`)).status).toBe(410)
  expect((await post(url, 'send', { from: { n: 1_900, attempt: 1 } })).status).toBe(410)
})
