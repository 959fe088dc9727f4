import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { FRAMEWORKS } from '@webhook-receiver/checks/lists.mjs'
import { startApplication } from '@webhook-receiver/checks/program.mjs'
import { createDelivery, randomSecret, signedRequest } from '@webhook-receiver/checks/signing.mjs'
import { exchange, requestHead } from '@webhook-receiver/checks/wire.mjs'
import { growth } from './memory.mjs'

/** A body within the limit of 1 MiB that comes one byte at a time. */
export const CHUNKS = 1_040_000

/** What can receive it: each adapter, `receiveRequest` over a server and over a stream alone, the command line. */
export const RECEIVERS = [
  ...FRAMEWORKS,
  'node',
  'nestjs',
  'nestjs-fastify',
  'request',
  'stream',
  'listen',
]

/** How many chunks one write has. */
const PIECE = 10_000

/** Between two valid deliveries, in milliseconds. */
const PAUSE = 100

/** What one body of tiny chunks adds to the resident memory of a receiver that has just started. */
export async function measureOne(kind, chunks = CHUNKS) {
  return withReceiver(kind, [], async (receiver) => {
    let status
    const mebibytes = await growth(receiver, async () => {
      status = await sendChunks(kind, receiver.port, chunks)
    })
    return { status, mebibytes }
  })
}

/**
 * Sends several such bodies at once to a receiver whose heap is bounded, in MiB. Meanwhile one valid delivery
 * follows the other. Resolves to the statuses of both.
 */
export async function sendMany(kind, { chunks = CHUNKS, bodies, heap }) {
  const flags = [`--max-old-space-size=${heap}`]
  return withReceiver(kind, flags, async ({ port }, sendValid) => {
    const valid = []
    let over = false
    const forged = Promise.all(
      Array.from({ length: bodies }, () => sendChunks(kind, port, chunks)),
    ).finally(() => {
      over = true
    })
    while (!over) {
      valid.push(await sendValid())
      await delay(PAUSE)
    }
    return { forged: await forged, valid: [...valid, await sendValid()] }
  })
}

async function withReceiver(kind, flags, work) {
  const secret = randomSecret()
  const args = kind === 'listen' ? LISTEN : [pathOf('receiver.mjs'), kind]
  const receiver = await startApplication([...flags, ...args], { secret })
  const sendValid = () => {
    const { headers, body } = signedRequest(secret, createDelivery('message.received'))
    return exchange(receiver.port, [requestHead(headers), body])
  }
  try {
    // What the first delivery loads and compiles is not part of the measurement.
    const first = await sendValid()
    if (first !== 200 && first !== 204) throw new Error(`a valid delivery: ${first}`)
    return await work(receiver, sendValid)
  } finally {
    await receiver.stop('SIGKILL')
  }
}

const LISTEN = [pathOf('../../../cli/bin/webhook-receiver.js'), 'listen', '--port', '0']

function pathOf(file) {
  return fileURLToPath(new URL(file, import.meta.url))
}

/** Sends the chunks with a wrong signature. */
function sendChunks(kind, port, chunks) {
  // That receiver makes the stream by itself.
  if (kind === 'stream') return exchange(port, [forgedHead('X-Chunks', String(chunks))])
  return exchange(port, tinyChunks(chunks))
}

function* tinyChunks(count) {
  yield forgedHead('Transfer-Encoding', 'chunked')
  const chunk = '1\r\nx\r\n'
  const piece = Buffer.from(chunk.repeat(PIECE))
  for (let left = count; left > 0; left -= PIECE) {
    yield piece.subarray(0, Math.min(left, PIECE) * chunk.length)
  }
  yield '0\r\n\r\n'
}

function forgedHead(name, value) {
  return requestHead({
    'Content-Type': 'application/json',
    'X-Webhook-Timestamp': String(Math.floor(Date.now() / 1000)),
    'X-Webhook-Signature': `sha256=${'0'.repeat(64)}`,
    [name]: value,
  })
}
