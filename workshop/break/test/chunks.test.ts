import { join } from 'node:path'
import { FRAMEWORKS, PART } from '@webhook-receiver/checks/lists.mjs'
import { peakMemory } from '@webhook-receiver/checks/peak-memory.mjs'
import type { Application } from '@webhook-receiver/checks/program.mjs'
import { exchange, requestHead } from '@webhook-receiver/checks/wire.mjs'
import { describe, expect, test } from 'vitest'
import { deliver, forgedHead, MEBIBYTE, PROGRAM, start } from './receiver.ts'

const MINUTES = 60_000

/** Those that read a body in ways of their own. */
const READERS = ['node', 'hono', 'request', 'listen']

/** Each adapter, `receiveRequest` over a server and over a stream alone, the command line. */
const RECEIVERS = PART
  ? ['node', 'hono', 'stream']
  : [...FRAMEWORKS, 'node', 'nestjs', 'nestjs-fastify', 'request', 'stream', 'listen']

const CLI = join(import.meta.dirname, '../../../packages/cli/bin/webhook-receiver.js')

/** Starts a receiver, and sends it the delivery that loads and compiles. */
async function warmedUp(kind: string, flags: readonly string[] = []): Promise<Application> {
  const program = kind === 'listen' ? [CLI, 'listen', '--port', '0'] : [PROGRAM, kind]
  const receiver = await start([...flags, ...program])
  expect([200, 204]).toContain(await deliver(receiver))
  return receiver
}

/** What `work` adds to the peak of the resident memory of a program, in MiB. */
async function growth({ child: { pid } }: Application, work: () => Promise<unknown>) {
  // After the first call, the peak is what it has now.
  const [, before = 0] = [peakMemory(pid), peakMemory(pid)]
  await work()
  return peakMemory(pid) - before
}

/** A body of one byte in each chunk, within the limit of 1 MiB, with a wrong signature. */
function sendChunks(kind: string, port: number) {
  // That receiver makes the stream by itself.
  if (kind === 'stream') return exchange(port, [forgedHead({ 'X-Chunks': '1040000' })])
  const chunks = Array(104).fill('1\r\nx\r\n'.repeat(10_000))
  return exchange(port, [forgedHead({ 'Transfer-Encoding': 'chunked' }), ...chunks, '0\r\n\r\n'])
}

describe('a body of 1,040,000 chunks of one byte, without a right signature', () => {
  test.runIf(process.platform === 'linux').each(RECEIVERS)(
    'gets 401 and takes less than 32 MiB of memory: %s',
    { timeout: 2 * MINUTES },
    async (kind) => {
      const receiver = await warmedUp(kind)
      let status: unknown
      const mebibytes = await growth(receiver, async () => {
        status = await sendChunks(kind, receiver.port)
      })
      expect(status).toBe(401)
      // What V8 keeps of its young generation is part of it; the body itself is one mebibyte.
      expect(mebibytes).toBeLessThan(32)
    },
  )

  test.each(PART ? ['node'] : READERS)(
    'four of them at once leave a heap of 128 MiB enough for valid deliveries: %s',
    { timeout: 5 * MINUTES },
    async (kind) => {
      const receiver = await warmedUp(kind, ['--max-old-space-size=128'])
      let over = false
      const sending = Array.from({ length: 4 }, () => sendChunks(kind, receiver.port))
      const forged = Promise.all(sending).finally(() => {
        over = true
      })
      const valid = []
      while (!over) {
        valid.push(await deliver(receiver))
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      valid.push(await deliver(receiver))
      // 408 on a machine so busy that a body takes too long.
      expect((await forged).filter((status) => status !== 401 && status !== 408)).toEqual([])
      expect(valid.length).toBeGreaterThan(1)
      expect(valid.filter((status) => status !== 200 && status !== 204)).toEqual([])
    },
  )
})

test.runIf(process.platform === 'linux').each(PART ? ['hono'] : [...FRAMEWORKS, 'node'])(
  'an unsigned upload of 200 MiB takes less than 16 MiB of memory: %s',
  async (kind) => {
    const receiver = await warmedUp(kind)
    const head = requestHead({ 'Content-Length': `${200 * MEBIBYTE}`, Connection: 'keep-alive' })
    const pieces = Array(3200).fill('x'.repeat(64 * 1024))
    const upload = () => exchange(receiver.port, [head, ...pieces])
    expect(await growth(receiver, upload)).toBeLessThan(16)
  },
)
