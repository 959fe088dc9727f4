import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { createEnvironment } from './environment.mjs'
import { receiverAt, startMortal } from './programs.mjs'
import { createSender } from './sender.mjs'

/** Two clocks of one machine may be read in either order. In milliseconds. */
const SLACK = 5

/**
 * What each run has: an environment on a store, a receiver that may be `mortal`, and a sender. `evaluate` gives the figures that
 * every run has, and one sentence for each promise that was broken.
 */
export async function prepareRun({ name, store, url, inFlight, mortal, ...settings }, onEnd) {
  const { seed, lease } = settings
  const environment = await createEnvironment(store, url, onEnd)
  const secret = `whsec_faults_${seed}`
  const sender = createSender({ secret, random: seeded(seed + 2), inFlight })
  const [port] = await freePorts(1)
  const start = receiverAt(port, { failures: 0, ...settings, ...environment.settings, secret })
  const receiver = await startMortal(start, mortal)
  onEnd(receiver.stop)
  return {
    port,
    receiver,
    sender,
    async evaluate(ids) {
      const effects = await environment.effects()
      const verdict = judge(ids, effects, sender, store.endsWith('transactional') ? 0 : lease)
      const { lost, early, inWindow, outside } = verdict
      const violations = [
        ...lost.map((id) => `${id} is lost`),
        ...early.map((id) => `${id} was acknowledged before it had an effect`),
        ...sender.abandoned.map((id) => `${id} was never acknowledged`),
        ...outside.map((both) => `effects that no lease allows: ${JSON.stringify(both)}`),
        ...(sender.counts.rejected > 0 ? [`${sender.counts.rejected} were rejected`] : []),
      ]
      return {
        inWindow,
        figures: {
          ...sender.counts,
          effects: effects.length,
          ...{ lost: lost.length, 'early 2xx': early.length },
          ...{ 'twice in the window': inWindow, 'twice outside': outside.length },
        },
        violations: violations.map((violation) => `${name}: ${violation}`),
      }
    },
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
