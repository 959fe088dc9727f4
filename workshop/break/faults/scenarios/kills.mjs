import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { createEnvironment } from '../engine/environment.mjs'
import { receiverAt, startMortal } from '../engine/programs.mjs'
import { createSender, forEach } from '../engine/sender.mjs'

/** Of the deliveries this share is sent twice at once. */
const TWICE = 0.3

/**
 * Of the runs of a handler a share throws. It works up to `dwell` milliseconds before its effect, and again after it. The lease, in
 * seconds, is short, so that what a killed process leaves behind is handled soon.
 */
const RECEIVER = { failures: 0.05, dwell: 4, lease: 2 }

/** How long a receiver lives once it listens, in milliseconds. */
const LIVES = [150, 500]

/** Requests at the same moment, and deliveries that are not acknowledged yet. */
const IN_FLIGHT = 24
const OUTSTANDING = 400

/** Two clocks of one machine may be read in either order. In milliseconds. */
const SLACK = 5

/** Kills the receiver while it handles deliveries. Gives the figures, and one sentence for each promise that was broken. */
export async function runKills({ name, store, deliveries, kills: most, seed }, onEnd) {
  const environment = await createEnvironment(store, onEnd)
  const secret = `whsec_faults_${seed}`
  const sender = createSender({ secret, random: seeded(seed + 2), inFlight: IN_FLIGHT })
  const [port] = await freePorts(1)
  const settings = { ...RECEIVER, ...environment.settings, seed, secret }
  const mortal = { most, lives: LIVES, random: seeded(seed + 1) }
  const receiver = await startMortal(receiverAt(port, settings), mortal)
  onEnd(receiver.stop)

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

  const effects = await environment.effects()
  const lease = store.endsWith('transactional') ? 0 : RECEIVER.lease
  const { lost, early, inWindow, outside } = judge(ids, effects, sender, lease)
  const { counts, abandoned } = sender
  const violations = [
    ...lost.map((id) => `${id} is lost`),
    ...early.map((id) => `${id} was acknowledged before it had an effect`),
    ...abandoned.map((id) => `${id} was never acknowledged`),
    ...outside.map((both) => `effects that no lease allows: ${JSON.stringify(both)}`),
    ...(counts.rejected > 0 ? [`${counts.rejected} were rejected`] : []),
    ...(most === 0 && inWindow > 0 ? ['effects twice without a kill'] : []),
  ]
  return {
    name,
    figures: {
      ...{ store, deliveries, kills: receiver.kills, seconds, ...counts },
      ...{ effects: effects.length, lost: lost.length, 'early 2xx': early.length },
      ...{ 'twice in the window': inWindow, 'twice outside': outside.length },
    },
    violations,
  }
}

/**
 * What became of the deliveries: `lost` ids have no effect, and `early` ones were acknowledged before they had one. A second effect is
 * `inWindow` where the lease of the first was over and nobody had acknowledged it: its receiver was killed, or could not reach its
 * store. Any other is `outside`, as is every second effect where there is no lease.
 */
function judge(ids, effects, { acknowledged }, lease) {
  const acknowledgedAt = new Map(acknowledged.toReversed().map(({ id, at }) => [id, at]))
  const found = { inWindow: 0, outside: [] }
  const firsts = new Map()
  const lasts = new Map()
  for (const effect of effects.toSorted((one, other) => one.at - other.at)) {
    const { id, at } = effect
    const last = lasts.get(id)
    lasts.set(id, effect)
    if (!last) {
      firsts.set(id, at)
      continue
    }
    const isOver = lease > 0 && at >= last.asked + lease * 1000 - SLACK
    if (isOver && !(acknowledgedAt.get(id) < at - SLACK)) found.inWindow++
    else found.outside.push([last, effect, acknowledgedAt.get(id)])
  }
  return {
    ...found,
    lost: ids.filter((id) => !firsts.has(id)),
    early: ids.filter((id) => firsts.get(id) > acknowledgedAt.get(id) + SLACK),
  }
}
