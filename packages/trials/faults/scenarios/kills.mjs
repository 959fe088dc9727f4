import { setTimeout as delay } from 'node:timers/promises'
import { STORES } from '@webhook-receiver/checks/lists.mjs'
import { seeded } from '../../random.mjs'
import { startMortalReceivers } from '../engine/receivers.mjs'
import { prepareRun } from '../engine/run.mjs'
import { forEach } from '../engine/sender.mjs'

/** Of the deliveries this share is sent twice at once, and of the runs of a handler this share throws. */
const TWICE = 0.3
const FAILURES = 0.05

/** The lease, in seconds: short, so that what a killed process leaves behind is handled soon. */
const LEASE = 2

/** A handler works up to so many milliseconds before its effect, and again after it. */
const DWELL = 4

/** Requests at the same moment, and deliveries that are not acknowledged yet. */
const IN_FLIGHT = 24
const OUTSTANDING = 400

/** Kills the receiver while it handles deliveries. */
export async function runKills({ store, adapter, deliveries, kills: most, seed }, onEnd) {
  const { settings, sender, evaluate } = await prepareRun(
    { store, adapter, seed, lease: LEASE, failures: FAILURES, dwell: DWELL, inFlight: IN_FLIGHT },
    onEnd,
  )
  const receivers = await startMortalReceivers(settings, { random: seeded(seed + 1), most })
  onEnd(receivers.stop)
  const random = seeded(seed)
  const ids = Array.from({ length: deliveries }, (_, index) => `chaos-${seed}-${index}`)
  const copies = ids.map(() => (random() < TWICE ? 2 : 1))
  const started = performance.now()
  let done = 0
  const sending = forEach(ids, OUTSTANDING, async (id, index) => {
    await waitForKills(index)
    await sender.deliver(id, [receivers.port], copies[index])
    if (++done % 1000 === 0) {
      console.error(`${store}: ${done} of ${deliveries}, ${receivers.kills.size} kills`)
    }
  })
  await Promise.race([sending, receivers.failed])
  const seconds = (performance.now() - started) / 1000
  await receivers.stop()

  const lease = STORES.includes(store) ? LEASE : undefined
  const { kills, lives } = receivers
  const { responses, inWindow, figures, violations } = await evaluate(store, ids, { kills, lease })
  if (responses.rejected > 0)
    violations.push(`${store}: ${responses.rejected} requests were rejected`)
  if (most === 0 && inWindow > 0) violations.push(`${store}: effects twice without a kill`)
  return {
    figures: {
      store,
      adapter,
      deliveries,
      'sent twice': copies.filter((count) => count === 2).length,
      kills: kills.size,
      'alive, ms': Math.round(lives.toSorted((one, other) => one - other)[lives.length >> 1] ?? 0),
      seconds: Math.round(seconds),
      ...figures,
    },
    violations,
  }

  /** Where the number of kills is given, they are spread over the whole run. */
  async function waitForKills(index) {
    if (most === Number.POSITIVE_INFINITY) return
    while (receivers.kills.size < Math.floor((index / deliveries) * (most + 1))) {
      await Promise.race([delay(20), receivers.failed])
    }
  }
}
