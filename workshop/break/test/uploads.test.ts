import { connect } from 'node:net'
import { PART } from '@webhook-receiver/checks/lists.mjs'
import { peakMemory } from '@webhook-receiver/checks/peak-memory.mjs'
import type { Application } from '@webhook-receiver/checks/program.mjs'
import { expect, onTestFinished, test } from 'vitest'
import { ADAPTERS } from '../applications.mjs'
import { deliver, forgedHead, MEBIBYTE, PROGRAM, start } from './receiver.ts'

const OPTIONS = { limit: 4 * MEBIBYTE, unverifiedBytes: 8 * MEBIBYTE, onRejected: false }

/** How many uploads are held open, each but for its last byte. */
const HELD = 60

test
  .runIf(process.platform === 'linux')
  .each(PART ? ['express', 'request'] : [...ADAPTERS, 'request'])(
  'beside 60 unsigned uploads of 4 MiB that are held open, deliveries are accepted and memory stays within its bound: %s',
  { timeout: 120_000 },
  async (kind) => {
    const receiver = await start([PROGRAM, kind, JSON.stringify(OPTIONS)])
    const large = { text: 'x'.repeat(1_200_000) }
    // What it loads and compiles.
    expect([200, 204]).toContain(await deliver(receiver, large))
    const before = peakMemory(receiver.child.pid)
    const held = Array.from({ length: HELD }, (_, index) => hold(receiver, index % 2 === 0))
    // No more than two of them fit in.
    await expect.poll(() => held.filter(({ seen }) => seen.text === '').length).toBeLessThan(3)
    const statuses = []
    for (let sent = 0; sent < 30; sent++) statuses.push(await deliver(receiver, large))
    expect(statuses.filter((status) => status !== 200 && status !== 204)).toEqual([])
    const growth = peakMemory(receiver.child.pid) - before
    for (const { seen } of held) expect(seen.text).toMatch(/^$|^HTTP\/1\.1 503 .*"receiver_unav/s)
    // V8 frees late what was given up: 8 MiB are held, and all would be 240.
    expect(growth).toBeLessThan(120)
  },
)

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
  const head = forgedHead({ Connection: 'keep-alive', ...framing })
  socket.write(isChunked ? `${head}${size.toString(16)}\r\n` : head)
  socket.write(Buffer.alloc(size - 1, 'x'))
  return { seen }
}
