import { stopApplications } from '@webhook-receiver/tools/application.mjs'
import { randomSecret } from '@webhook-receiver/tools/signer.mjs'
import { sendChunks, sendGenuine, startReceiver } from './chunks.mjs'
import { growth } from './memory.mjs'

/** Between two genuine deliveries, in milliseconds. */
const PAUSE = 100

/** What one body of tiny chunks adds to the resident memory of a receiver that has just started. */
export async function attackOnce(kind, chunks) {
  return withReceiver(kind, [], async (receiver) => {
    let status
    const mebibytes = await growth(receiver, async () => {
      status = await sendChunks(receiver, chunks)
    })
    return { status, mebibytes }
  })
}

/**
 * Sends several such bodies at once to a receiver whose heap is bounded, in MiB. Meanwhile one genuine delivery
 * follows the other: resolves to the statuses of both.
 */
export async function attackAtOnce(kind, { chunks, bodies, heap }) {
  return withReceiver(kind, [`--max-old-space-size=${heap}`], async (receiver, secret) => {
    const genuine = []
    let over = false
    const attacks = Array.from({ length: bodies }, () => sendChunks(receiver, chunks))
    const forged = Promise.all(attacks).finally(() => {
      over = true
    })
    do {
      genuine.push(await sendGenuine(receiver.port, secret))
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    } while (!over)
    genuine.push(await sendGenuine(receiver.port, secret))
    return { forged: await forged, genuine }
  })
}

async function withReceiver(kind, flags, use) {
  const secret = randomSecret()
  const receiver = await startReceiver(kind, secret, flags)
  try {
    // What the first delivery loads and compiles is no part of the attack.
    const first = await sendGenuine(receiver.port, secret)
    if (first >= 300 || typeof first !== 'number') throw new Error(`a genuine delivery: ${first}`)
    return await use(receiver, secret)
  } finally {
    await stopApplications()
  }
}
