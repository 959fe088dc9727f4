import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { startMortal } from './engine/programs.mjs'
import { createSender } from './engine/sender.mjs'

/** Of the deliveries this share is sent twice at once. */
const TWICE = 0.3

/** Two clocks of one machine may be read in either order. In milliseconds. */
const SLACK = 5

/**
 * What is killed. In each of its `conversations` one delivery is sent behind the other. `lease` is in seconds. `drained` waits until all that was
 * acknowledged is handled, and `broken` gives what else is wrong.
 *
 * @typedef {object} Scenario
 * @property {string} [version]
 * @property {boolean} [isControl] one that has to lose something
 * @property {number} conversations
 * @property {number} lease
 * @property {readonly { start: () => Promise<import('@webhook-receiver/checks/program.mjs').Program>, lives: readonly [number, number] }[]} programs
 * @property {() => Effect[] | Promise<Effect[]>} effects in their order
 * @property {() => Promise<void>} [drained]
 * @property {() => Promise<string[]>} [broken]
 *
 * @typedef {{ id: string, at?: number, asked?: number, conversation?: string, number?: number }} Effect
 */

/** Kills the programs of a scenario while they handle deliveries. Gives the figures, and one sentence for each promise that was broken. */
export async function runKills({ name, open, deliveries, kills: most, seed, ...more }, onEnd) {
  const secret = `whsec_faults_${seed}`
  const [port] = await freePorts(1)
  /** @type {Scenario} */
  const scenario = await open({ ...more, seed, secret, port }, onEnd)
  const random = seeded(seed)
  const mortals = []
  for (const [at, { start, lives }] of scenario.programs.entries()) {
    const share = Math.ceil((most - at) / scenario.programs.length)
    const mortal = await startMortal(start, { most: share, lives, random: seeded(seed + 1 + at) })
    onEnd(mortal.stop)
    mortals.push(mortal)
  }
  const killed = () => mortals.reduce((sum, { kills }) => sum + kills, 0)

  const sender = createSender({ secret, port, random: seeded(seed + 3) })
  const ids = Array.from({ length: deliveries }, (_, number) => `chaos-${seed}-${number}`)
  const started = performance.now()
  let begun = 0
  /** One after another: the order of a conversation is the order in which its deliveries were acknowledged. */
  const converse = async (at) => {
    for (let number = at; number < deliveries; number += scenario.conversations) {
      const index = begun++
      // Where the number of kills is given, they are spread over the whole run.
      const due = Number.isFinite(most) ? Math.floor((index / deliveries) * (most + 1)) : 0
      while (killed() < due) await delay(20)
      const sample = { instanceId: `instance-${at}`, data: { number } }
      await sender.deliver(ids[number], random() < TWICE ? 2 : 1, sample)
      if (index % 1000 === 999)
        console.error(`${name}: ${index + 1} of ${deliveries}, ${killed()} kills`)
    }
  }
  const sending = Promise.all(
    Array.from({ length: scenario.conversations }, (_, at) => converse(at)),
  )
  const handled = sending.then(() => scenario.drained?.())
  await Promise.race([handled, ...mortals.map(({ failed }) => failed)])
  const seconds = Math.round((performance.now() - started) / 1000)
  await Promise.all(mortals.map(({ stop }) => stop()))

  const effects = await scenario.effects()
  const { lost, early, inWindow, outside, misplaced } = judge(ids, effects, sender, scenario.lease)
  const { counts, abandoned } = sender
  const broken = scenario.isControl
    ? [lost.length === 0 && 'the control lost nothing, so the kills prove nothing']
    : [
        ...lost.map((id) => `${id} is lost`),
        ...early.map((id) => `${id} was acknowledged before it had an effect`),
        ...outside.map((both) => `effects that no lease allows: ${JSON.stringify(both)}`),
        ...misplaced.map((id) => `${id} was handled out of order`),
        most === 0 && inWindow > 0 && 'effects twice without a kill',
        ...((await scenario.broken?.()) ?? []),
      ]
  return {
    name,
    version: scenario.version,
    figures: {
      ...{ name, deliveries, kills: killed(), seconds, ...counts },
      ...{ effects: effects.length, lost: lost.length, 'early 2xx': early.length },
      ...{ 'twice in the window': inWindow, 'twice outside': outside.length },
      'out of order': misplaced.length,
    },
    violations: [
      ...broken.filter(Boolean),
      ...abandoned.map((id) => `${id} was never acknowledged`),
      ...(counts.rejected > 0 ? [`${counts.rejected} were rejected`] : []),
    ],
  }
}

/**
 * What became of the deliveries: `lost` ids have no effect, `early` ones were acknowledged before they had one, and `misplaced` ones have theirs behind
 * a later one of their conversation. A second effect is `inWindow` where the lease of the first was over and nobody had acknowledged it: its receiver was
 * killed, or could not reach its store. Any other is `outside`, as is every second effect where there is no lease.
 */
function judge(ids, effects, { acknowledged }, lease) {
  const acknowledgedAt = new Map(acknowledged.toReversed().map(({ id, at }) => [id, at]))
  const found = { inWindow: 0, outside: [], misplaced: [] }
  const firsts = new Map()
  const lasts = new Map()
  const reached = new Map()
  for (const effect of effects.toSorted((one, other) => one.at - other.at)) {
    const { id, at, conversation, number } = effect
    const last = lasts.get(id)
    lasts.set(id, effect)
    if (!last) {
      firsts.set(id, at)
      if (number < reached.get(conversation)) found.misplaced.push(id)
      else reached.set(conversation, number)
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
