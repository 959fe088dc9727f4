import { setTimeout as delay } from 'node:timers/promises'
import { send } from '@webhook-receiver/checks/wire.mjs'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import pLimit from 'p-limit'

/**
 * After how long a delivery that is never acknowledged is abandoned, in milliseconds: long, since on a busy machine a
 * receiver may be killed many times before it has done anything.
 */
const PATIENCE = 900_000

/** How long a copy waits before it is sent again: it grows from the first to the last, in milliseconds. */
const FIRST_WAIT = 50
const LAST_WAIT = 1000

/** Requests at the same moment. */
const IN_FLIGHT = 24

/** A service that sends each copy of a delivery again and again until it gets 2xx. */
export function createSender({ secret, port, random }) {
  const acknowledged = []
  const abandoned = []
  const counts = { requests: 0, '2xx': 0, 'HTTP 500': 0, 'HTTP 503': 0, rejected: 0, 'cut off': 0 }
  const limit = pLimit(IN_FLIGHT)

  /** Sends so many copies at once; resolves when each is acknowledged. */
  async function deliver(id, copies, sample) {
    const delivery = sampleDelivery('message.received', { ...sample, id })
    await Promise.all(Array.from({ length: copies }, () => deliverCopy(delivery)))
  }

  async function deliverCopy(delivery) {
    const { id } = delivery
    const end = Date.now() + PATIENCE
    for (let wait = FIRST_WAIT; Date.now() < end; wait = Math.min(wait * 2, LAST_WAIT)) {
      // Signed again, so that one that comes late on a slow machine is not rejected for its age.
      const { outcome } = await limit(async () => send(port, await signDelivery(secret, delivery)))
      const at = Date.now()
      const kind = kindOf(outcome)
      counts.requests++
      counts[kind]++
      if (kind === '2xx') {
        acknowledged.push({ id, at })
        return
      }
      await delay(wait * (0.5 + random()))
    }
    abandoned.push(id)
  }

  return { deliver, acknowledged, abandoned, counts }
}

/** Other statuses are `rejected`; no response is `cut off`. */
function kindOf(outcome) {
  if (typeof outcome !== 'number') return 'cut off'
  if (outcome >= 200 && outcome < 300) return '2xx'
  return [500, 503].includes(outcome) ? `HTTP ${outcome}` : 'rejected'
}
