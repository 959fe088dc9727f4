import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { prepareRun } from '../engine/run.mjs'
import { forEach } from '../engine/sender.mjs'

/** Of the deliveries this share is sent twice at once, and of the runs of a handler this share throws. */
const TWICE = 0.3
const FAILURES = 0.05

/** The lease, in seconds: short, so that what a killed process leaves behind is handled soon. */
const LEASE = 2

/** A handler works up to so many milliseconds before its effect, and again after it. */
const DWELL = 4

/** How long a receiver lives once it listens, in milliseconds. */
const LIVES = [150, 500]

/** Requests at the same moment, and deliveries that are not acknowledged yet. */
const IN_FLIGHT = 24
const OUTSTANDING = 400

/** Kills the receiver while it handles deliveries. */
export async function runKills({ name, store, adapter, deliveries, kills: most, seed }, onEnd) {
  const { port, receiver, sender, evaluate } = await prepareRun(
    {
      ...{ name, store, adapter, seed, inFlight: IN_FLIGHT },
      ...{ lease: LEASE, failures: FAILURES, dwell: DWELL },
      mortal: { most, lives: LIVES, random: seeded(seed + 1) },
    },
    onEnd,
  )
  const random = seeded(seed)
  const ids = Array.from({ length: deliveries }, (_, index) => `chaos-${seed}-${index}`)
  const copies = ids.map(() => (random() < TWICE ? 2 : 1))
  const started = performance.now()
  let done = 0
  const sending = forEach(ids, OUTSTANDING, async (id, index) => {
    // Where the number of kills is given, they are spread over the whole run.
    const due = Number.isFinite(most) ? Math.floor((index / deliveries) * (most + 1)) : 0
    while (receiver.kills < due) await delay(20)
    await sender.deliver(id, [port], copies[index])
    if (++done % 1000 === 0) {
      console.error(`${store}: ${done} of ${deliveries}, ${receiver.kills} kills`)
    }
  })
  await Promise.race([sending, receiver.failed])
  const seconds = Math.round((performance.now() - started) / 1000)
  await receiver.stop()

  const { inWindow, figures, violations } = await evaluate(ids)
  if (most === 0 && inWindow > 0) violations.push(`${store}: effects twice without a kill`)
  return {
    figures: { store, adapter, deliveries, kills: receiver.kills, seconds, ...figures },
    violations,
  }
}
