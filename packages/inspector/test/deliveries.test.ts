import { createEmulator } from '@webhook-receiver/emulator'
import type { Inspector } from '@webhook-receiver/inspector'
import { twilio } from '@webhook-receiver/schemes'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { conclude } from '../page/conclusion.ts'
import { resultText } from '../page/format.ts'
import type { Row } from '../src/row.ts'
import {
  arrived,
  BODY,
  inspecting,
  responding,
  rowsOf,
  SECRET,
  SIGNED,
  serve,
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
  const { send } = await inspecting({ url: receiver.url })
  const { attempt, ...view } = await send(SIGNED)
  expect(receiver.ids).toEqual(['d1'])
  const { event, id } = JSON.parse(BODY)
  expect(view).toMatchObject({ event, id, status: 204, outcome: 'delivered' })
  const headers = new Map<string, string>(attempt.headers)
  const signature = headers.get('X-Webhook-Signature')
  expect(attempt).toMatchObject({
    ...{ body: { text: BODY }, verdict: { valid: true }, dot: 'good' },
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
  const { url } = await startReceiver()
  let time = 1_767_225_600_000
  const tolerance = Number.POSITIVE_INFINITY
  const { send } = await inspecting({ url }, { now: () => time, tolerance })
  const first = await send(SIGNED)
  time += 60_000
  const from = { n: first.n, attempt: 1 }
  const same = await send({ from })
  expect([same.attempt.headers, same.note]).toEqual([first.attempt.headers, undefined])
  const { attempt } = await send({ from, sign: true })
  expect(attempt.verdict.valid).toBe(true)
  expect(new Map(attempt.headers).get('X-Webhook-Timestamp')).toBe('1767225660')
})

/** An inspector, and a server that responds once it has `many` requests, or when `respond` is called. */
async function holding(many: number) {
  const held: (() => void)[] = []
  const respond = () => {
    for (const end of held) end()
  }
  const url = await serve((req, res) =>
    req.resume().on('end', () => {
      if (held.push(() => res.writeHead(204).end()) === many) respond()
    }),
  )
  return { ...(await inspecting({ url })), held, respond }
}

it('sends copies at once, as attempts of one delivery', async () => {
  const { send } = await holding(12)
  const warned = vi.spyOn(process, 'emitWarning')
  // More requests at a time than Node expects of one signal.
  const view = await send({ ...SIGNED, copies: 12 })
  expect(view.all.map(({ status }: Row) => status)).toEqual(Array(12).fill(204))
  expect(warned).not.toHaveBeenCalled()
})

it('has at most 500 requests of the page under way', async () => {
  const { post, held, respond } = await holding(Number.NaN)
  const send = async (copies: number) => (await post('send', { ...SIGNED, copies })).status
  for (let time = 0; time < 5; time++) expect(await send(100)).toBe(200)
  expect(await send(1)).toBe(503)
  await expect.poll(() => held.length).toBe(500)
  respond()
  await expect.poll(() => send(1)).toBe(200)
})

it('keeps a body of 1 MiB and bytes that are not text, byte for byte, also in the capture', async () => {
  const { get, send } = await inspecting({ url: await responding() })
  const body = Buffer.alloc(1_048_576, Uint8Array.from([0xff, 0xfe, 0x00, 0x41]))
  const base64 = body.toString('base64')
  const { n, attempt } = await send({ ...SIGNED, body: { base64 } })
  expect(attempt.body).toEqual({ base64 })
  const { headers, text } = await get(`api/capture?n=${n}&attempt=1`)
  expect(headers['content-disposition']).toContain('attachment')
  expect(JSON.parse(text)).toMatchObject({ format: 'webhook-receiver-capture', body: { base64 } })
})

/** Starts an emulator that an inspector watches, which knows its secrets unless they are hidden. */
async function watched(url: string, retries: readonly number[], isHidden = false) {
  const started = await startInspector()
  const registered: string[] = []
  const emulator = createEmulator({
    retries,
    onRegistered(webhook) {
      registered.push(webhook.secret)
      if (!isHidden) started.inspector.addTarget(webhook)
    },
  })
  started.inspector.watch(emulator)
  await emulator.start()
  onTestFinished(() => emulator.stop())
  emulator.register({ url, events: ['message.read'] })
  return { ...started, emulator, registered }
}

it('shows what an emulator sends, faults and all, and never a secret', async () => {
  const { emulator, registered, load, ...page } = await watched(await responding(), [])
  await emulator.emit('message.read', {}, { fault: 'tamper' })
  const view = await page.settled(1)
  expect(view.all.map(({ dot }: { dot: string }) => dot)).toEqual(['wrong', 'good'])
  const forged = await load(1, 1)
  expect(forged.attempt.verdict.reason).toBe('signature_mismatch')
  await emulator.emit('message.read', {}, { fault: 'message_body_alone' })
  await page.settled(2)
  const mistaken = await load(2, 1)
  expect(conclude(mistaken).sentence).toBe(
    'Your server accepted it: tampered with (message_body_alone).',
  )
  const stream = await page.read((messages) => rowsOf(messages).length > 0)
  const everything = JSON.stringify([view, forged, mistaken, stream])
  expect(registered).toHaveLength(1)
  for (const secret of registered) expect(everything).not.toContain(secret)
})

it('shows when the service retries, until it does or is stopped', async () => {
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
  const { emulator, load, read } = await watched(target, [0, 30], true)
  const rowThat = async (dots: string, isWanted: (row: Row) => boolean): Promise<Row> => {
    const isIt = (row: Row) => `${row.dots}` === dots && isWanted(row)
    return rowsOf(await read((seen) => rowsOf(seen).some(isIt))).findLast(isIt)
  }
  const sent = emulator.emit('message.read')
  await rowThat('fail,pending', ({ retryAt }) => retryAt === undefined)
  const before = Date.now()
  release()
  const { retryAt = 0, ...row } = await rowThat('fail,fail', (row) => row.retryAt !== undefined)
  expect(row.verdict).toBeUndefined()
  expect(retryAt).toBeGreaterThanOrEqual(before + 30_000)
  expect(resultText({ ...row, retryAt }, retryAt - 29_500)).toBe('✗ server error, retry in 30 s')
  expect(conclude(await load(1)).sentence).toMatch(/failed with 503\. The service retries it\.$/)
  await emulator.stop()
  await sent
  await rowThat('fail,fail', (row) => row.outcome === 'stopped' && row.retryAt === undefined)
})

it('gives a page that connects again what it missed, each delivery once', async () => {
  const { inspector, read } = await startInspector()
  const rows = async (count: number, last?: string) => {
    const messages = await read((seen) => rowsOf(seen).length >= count, last)
    return { messages, numbers: rowsOf(messages).map(({ n }) => n) }
  }
  await receive(inspector, 5)
  const first = await rows(5)
  const last = first.messages.findLast(({ id }) => id !== undefined)?.id
  await receive(inspector, 3)
  expect(first.numbers).toEqual([1, 2, 3, 4, 5])
  expect((await rows(3, last)).numbers).toEqual([6, 7, 8])
  expect((await rows(8, 'another-5')).numbers).toHaveLength(8)
})

it('says why a body cannot be signed', async () => {
  const options = { scheme: twilio, publicUrl: 'https://example.com' }
  const { post } = await inspecting({ secret: 'a-token-for-tests' }, options)
  expect(await post('send', { ...SIGNED, body: { text: '{"a":1}' } })).toMatchObject({
    status: 422,
    text: expect.stringContaining('nothing that Twilio signs: a form'),
  })
})

describe('without options', () => {
  /** An inspector that has received so much, what receives one more, and what it counts. */
  async function received(count: number, ...one: Parameters<typeof arrived>) {
    const { inspector, target, read } = await inspecting()
    const add = () => inspector.received(arrived(...one), target)
    for (let n = 0; n < count; n++) await add()
    const counts = async () => {
      const isCounted = ({ event }: { readonly event?: string }) => event === 'state'
      const messages = await read((seen) => seen.some(isCounted))
      return messages.findLast(isCounted)?.data.counts
    }
    return { add, counts }
  }

  it('keeps the last 10,000 deliveries', async () => {
    const rejection = { status: 413, reason: 'body_too_large', detail: '' }
    const { add, counts } = await received(10_000, '', { status: 413, rejection })
    expect(await counts()).toMatchObject({ total: 10_000, first: 1, dropped: 0 })
    await add()
    expect(await counts()).toMatchObject({ total: 10_001, first: 2, dropped: 1 })
  })

  it('keeps up to 32 MiB of them', async () => {
    const { add, counts } = await received(31, Buffer.alloc(2 ** 20, 'a'))
    expect(await counts()).toMatchObject({ first: 1, dropped: 0 })
    await add()
    const { dropped, bytes } = await counts()
    expect(dropped).toBe(1)
    expect(bytes).toBeLessThanOrEqual(33_554_432)
  })

  it('waits 10 s for a response', async () => {
    const url = await serve(() => vi.advanceTimersByTime(10_000))
    const { send } = await inspecting({ url })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { attempt } = await send(SIGNED)
    expect(attempt.error).toBe('no response within 10 s')
  })
})

it('drops the oldest deliveries, and says so', async () => {
  const { inspector, get, post, load, read } = await startInspector({ history: 100 })
  await receive(inspector, 2_000)
  const messages = await read((seen) => rowsOf(seen).length >= 100)
  const kept = Array.from({ length: 100 }, (_, index) => 1_901 + index)
  expect(rowsOf(messages).map(({ n }) => n)).toEqual(kept)
  const { counts } = messages.findLast(({ event }) => event === 'state')?.data ?? {}
  expect(counts).toMatchObject({ total: 2_000, first: 1_901 })
  expect((await load(2_000)).attempt.body).toEqual({ text: BODY })
  expect((await get('api/attempt?n=1')).status).toBe(410)
  expect((await post('send', { from: { n: 1_900, attempt: 1 } })).status).toBe(410)
})
