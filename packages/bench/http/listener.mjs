import { hash } from 'node:crypto'
import { BASELINE, LEAST } from './subjects.mjs'

/** The listener of a subject. Calls `count` for each delivery that reaches the application. */
export async function listenerOf(framework, name, secret, count) {
  const { servers } = await import(`./servers/${framework}.mjs`)
  if (name !== LEAST) return servers[name](secret, take)
  return servers[BASELINE](secret, (delivery) => {
    hashTwice(delivery)
    take(delivery)
  })

  /** What stands for the application. */
  function take(delivery) {
    if (delivery?.event !== 'message.received') throw new Error('not the delivery that was sent')
    count()
  }
}

/** As many bytes as an HMAC of the body hashes, to a few: a block with the key, the timestamp, and the delivery around its text. */
function hashTwice(delivery) {
  const { text } = delivery.data.data
  hash('sha256', SCRATCH.subarray(0, BLOCK + AROUND_TEXT + Buffer.byteLength(text)), 'binary')
  hash('sha256', SCRATCH.subarray(0, BLOCK + DIGEST), 'binary')
}

const BLOCK = 64
const DIGEST = 32
const AROUND_TEXT = 300
const SCRATCH = Buffer.alloc(2 ** 20)
