import { setTimeout as delay } from 'node:timers/promises'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { send } from '@webhook-receiver/tools/send.mjs'

/** Requests at the same moment. */
const IN_FLIGHT = 24

/**
 * After how long a delivery that is never acknowledged is given up, in milliseconds: long, since on a machine
 * with other work a receiver may be killed many times before it gets to do anything.
 */
const PATIENCE = 900_000

/** How long a copy waits before it is sent again: it grows from the first to the last, in milliseconds. */
const FIRST_WAIT = 50
const LAST_WAIT = 1000

/**
 * A service that sends each copy of a delivery again and again until it is answered 2xx. `onAnswer` is told of
 * each answer: `{ id, outcome, milliseconds, at }`.
 */
export function createSender({ secret, random, inFlight = IN_FLIGHT, onAnswer = () => {} }) {
  const outcomes = new Map()
  const acknowledged = []
  const abandoned = []
  const slot = slots(inFlight)

  /** Sends so many copies at once, the first to the first port, the next to the next; resolves when each is acknowledged. */
  async function deliver(id, ports, copies) {
    const delivery = sampleDelivery('message.received', { id })
    await Promise.all(
      Array.from({ length: copies }, (_, copy) => insist(delivery, ports[copy % ports.length])),
    )
  }

  async function insist(delivery, port) {
    const { id } = delivery
    const end = Date.now() + PATIENCE
    for (let wait = FIRST_WAIT; Date.now() < end; wait = Math.min(wait * 2, LAST_WAIT)) {
      // Signed anew, so that one that comes late on a slow machine is not refused for its age.
      const { outcome, milliseconds } = await slot(async () =>
        send(port, await signDelivery(secret, delivery)),
      )
      onAnswer({ id, outcome, milliseconds, at: Date.now() })
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (outcome >= 200 && outcome < 300) {
        acknowledged.push({ id, at: Date.now() })
        return
      }
      await delay(wait * (0.5 + random()))
    }
    abandoned.push(id)
  }

  return { deliver, outcomes, acknowledged, abandoned }
}

/** Runs at most so many at once, in the order in which they came. */
function slots(free) {
  const waiting = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** Calls `work` for each number below `count`, so many at once. */
export async function each(count, atOnce, work) {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, worker))
}

/** How many answers there were of each kind: other statuses are `refused`, and no answer is `cut off`. */
export function answersOf(outcomes) {
  const sums = { requests: 0, '2xx': 0, 500: 0, 503: 0, refused: 0, 'cut off': 0 }
  for (const [outcome, count] of outcomes) {
    sums.requests += count
    sums[kindOf(outcome)] += count
  }
  return sums
}

function kindOf(outcome) {
  if (typeof outcome !== 'number') return 'cut off'
  if (outcome >= 200 && outcome < 300) return '2xx'
  return [500, 503].includes(outcome) ? outcome : 'refused'
}
