import { connect } from 'node:net'
import { join } from 'node:path'
import { PART } from '@webhook-receiver/checks/lists.mjs'
import { peakMemory } from '@webhook-receiver/checks/peak-memory.mjs'
import { type Application, startApplication } from '@webhook-receiver/checks/program.mjs'
import { createDelivery, signedRequest } from '@webhook-receiver/checks/signing.mjs'
import { exchange, requestHead } from '@webhook-receiver/checks/wire.mjs'
import { expect, onTestFinished, test } from 'vitest'
import { ADAPTERS } from '../applications.mjs'

const SECRET = 'whsec_uploads'
const MEBIBYTE = 1024 * 1024

const PROGRAM = join(import.meta.dirname, '../receiver.mjs')
const OPTIONS = { limit: 4 * MEBIBYTE, unverifiedBytes: 8 * MEBIBYTE, onRejected: false }

/** How many uploads are held open, each but for its last byte. */
const HELD = 60

test
  .runIf(process.platform === 'linux')
  .each(PART ? ['express', 'request'] : [...ADAPTERS, 'request'])(
  'beside 60 unsigned uploads of 4 MiB that are held open, deliveries are accepted and memory stays within its bound: %s',
  { timeout: 120_000 },
  async (kind) => {
    const receiver = await startApplication([PROGRAM, kind, JSON.stringify(OPTIONS)], {
      secret: SECRET,
    })
    onTestFinished(() => void receiver.stop('SIGKILL'))
    // What it loads and compiles.
    expect(await deliver(receiver, 1_200_000)).toMatch(/^20[04]$/)
    const before = peakMemory(receiver.child.pid)
    const held = Array.from({ length: HELD }, (_, index) => hold(receiver, index % 2 === 0))
    // No more than two of them fit in.
    await expect.poll(() => held.filter(({ seen }) => seen.text === '').length).toBeLessThan(3)
    const statuses = []
    for (let sent = 0; sent < 30; sent++) statuses.push(await deliver(receiver, 1_200_000))
    expect(statuses.filter((status) => !/^20[04]$/.test(status))).toEqual([])
    const growth = peakMemory(receiver.child.pid) - before
    for (const { seen } of held) expect(seen.text).toMatch(/^$|^HTTP\/1\.1 503 .*"receiver_unav/s)
    // V8 frees late what was given up: 8 MiB are held, and all would be 240.
    expect(growth).toBeLessThan(120)
  },
)

async function deliver({ port }: Application, size: number): Promise<string> {
  const delivery = createDelivery('message.received', { text: 'x'.repeat(size) })
  const { headers, body } = signedRequest(SECRET, delivery)
  return String(await exchange(port, [requestHead({ ...headers }), body]))
}

/** Sends all of a body but its last byte, in chunks or with its length, and collects the response. */
function hold({ port }: Application, isChunked: boolean): { readonly seen: { text: string } } {
  const seen = { text: '' }
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.on('data', (data) => {
    seen.text += data
  })
  const size = 4 * MEBIBYTE
  const framing = isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': `${size}` }
  const head = requestHead({
    'X-Webhook-Timestamp': String(Math.floor(Date.now() / 1000)),
    'X-Webhook-Signature': `sha256=${'0'.repeat(64)}`,
    Connection: 'keep-alive',
    ...framing,
  })
  socket.write(isChunked ? `${head}${size.toString(16)}\r\n` : head)
  socket.write(Buffer.alloc(size - 1, 'x'))
  return { seen }
}
