import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '@webhook-receiver/tools/random.mjs'
import { prepare } from './grounds.mjs'
import { startMortalReceivers } from './receivers.mjs'
import { answersOf, createSender, each } from './sender.mjs'
import { brokenBy, judge } from './verdict.mjs'

/** Of the deliveries this share is sent twice at once, and this share of the runs of a handler throws. */
const TWICE = 0.3
const FAILURES = 0.05

/** The lease, in seconds: short, so that what a killed process leaves behind is handled soon. */
const LEASE = 2

/** Those that have one: their second effects can be explained. */
const LEASED = ['postgres', 'redis']

/** The work of a handler before its effect, and again after it, takes up to so many milliseconds. */
const DWELL = 4

/** Deliveries that are not acknowledged yet, at the most. */
const OUTSTANDING = 400

export const HEAD = [
  'store',
  'deliveries',
  'sent twice',
  'kills',
  'alive, ms',
  'seconds',
  'requests',
  '2xx',
  '500',
  '503',
  'refused',
  'cut off',
  'effects',
  'lost',
  'early 2xx',
  'twice in the window',
  'twice outside',
]

/** Kills the receiver while it handles deliveries. Gives a row of figures and the promises that were broken. */
export async function runKills(store, { deliveries, kills: most, seed, adapter }, onGrounds) {
  const grounds = await prepare(store)
  onGrounds(grounds)
  const random = seeded(seed)
  const secret = `whsec_chaos_${seed}`
  const settings = { ...grounds.settings, adapter, seed, secret, lease: LEASE }
  const receivers = await startMortalReceivers(
    { ...settings, failures: FAILURES, dwell: DWELL },
    { random: seeded(seed + 1), most },
  )
  try {
    const sender = createSender({ secret, random: seeded(seed + 2) })
    const ids = Array.from({ length: deliveries }, (_, index) => `chaos-${seed}-${index}`)
    const copies = ids.map(() => (random() < TWICE ? 2 : 1))
    const started = performance.now()
    let done = 0
    const sending = each(deliveries, OUTSTANDING, async (index) => {
      await killsReach(index)
      await sender.deliver(ids[index], [receivers.port], copies[index])
      if (++done % 1000 === 0) {
        console.error(`${store}: ${done} of ${deliveries}, ${receivers.kills.size} kills`)
      }
    })
    await Promise.race([sending, receivers.failed])
    const seconds = (performance.now() - started) / 1000
    await receivers.stop()

    const verdict = judge({
      ids,
      effects: await grounds.effects(),
      acknowledged: sender.acknowledged,
      facts: grounds.journal(),
      kills: receivers.kills,
      lease: LEASED.includes(store) ? LEASE : undefined,
    })
    const answers = answersOf(sender.outcomes)
    const inWindow = verdict.twice.killed + verdict.twice['lost lease']
    return {
      row: [
        store,
        deliveries,
        copies.filter((count) => count === 2).length,
        receivers.kills.size,
        middleOf(receivers.lives),
        Math.round(seconds),
        answers.requests,
        answers['2xx'],
        answers[500],
        answers[503],
        answers.refused,
        answers['cut off'],
        verdict.effects,
        verdict.lost.length,
        verdict.early.length,
        inWindow,
        verdict.twice.unexplained,
      ].map(String),
      broken: [
        ...brokenBy(verdict, sender.abandoned, store),
        ...(answers.refused > 0 ? [`${store}: ${answers.refused} requests were refused`] : []),
        ...(most === 0 && inWindow > 0 ? [`${store}: effects twice without a kill`] : []),
      ],
    }
  } finally {
    await receivers.stop()
  }

  /** A delivery waits for its share of the kills, where their number is given: they fall over the whole run. */
  async function killsReach(index) {
    if (most === Number.POSITIVE_INFINITY) return
    while (receivers.kills.size < Math.floor((index / deliveries) * (most + 1))) {
      await Promise.race([delay(20), receivers.failed])
    }
  }
}

/** The median, as whole milliseconds. */
function middleOf(times) {
  if (times.length === 0) return '–'
  return Math.round(times.toSorted((one, other) => one - other)[times.length >> 1])
}
