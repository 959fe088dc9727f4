import { seeded } from '@webhook-receiver/tools/random.mjs'
import { prepare } from './grounds.mjs'
import { startReceiver } from './receivers.mjs'
import { answersOf, createSender, each } from './sender.mjs'
import { brokenBy, judge } from './verdict.mjs'

const COPIES = 20

/** The lease, in seconds: nothing is killed here, so it is the default. */
const LEASE = 30

/** Deliveries whose copies are on their way at the same moment, and requests at the same moment. */
const AT_ONCE = 30
const IN_FLIGHT = AT_ONCE * COPIES

/** The work of a handler before its effect, and again after it, takes up to so many milliseconds. */
const DWELL = 2

export const HEAD = [
  'store',
  'adapter',
  'receivers',
  'deliveries',
  'copies',
  'seconds',
  'requests',
  '2xx',
  '503',
  'other',
  'effects',
  'lost',
  'early 2xx',
  'twice',
]

/** Sends every copy of a delivery at once, in turns to each receiver. Gives figures and broken promises. */
export async function runCopies(store, options, onGrounds) {
  const { adapter, deliveries, seed, receivers: count } = options
  const grounds = await prepare(store)
  onGrounds(grounds)
  const secret = `whsec_chaos_${seed}`
  const settings = { ...grounds.settings, adapter, seed, secret, lease: LEASE }
  const receivers = await Promise.all(
    Array.from({ length: count }, (_, number) =>
      startReceiver({ ...settings, number, failures: 0, dwell: DWELL }),
    ),
  )
  try {
    const sender = createSender({ secret, random: seeded(seed), inFlight: IN_FLIGHT })
    const ids = Array.from({ length: deliveries }, (_, index) => `copies-${seed}-${index}`)
    const ports = receivers.map(({ port }) => port)
    const started = performance.now()
    await Promise.race([
      each(deliveries, AT_ONCE, (index) => sender.deliver(ids[index], ports, COPIES)),
      ...receivers.map(({ failed }) => failed),
    ])
    const seconds = (performance.now() - started) / 1000

    const effects = await grounds.effects()
    const verdict = judge({ ids, effects, acknowledged: sender.acknowledged, facts: [] })
    const answers = answersOf(sender.outcomes)
    const name = `${store}, ${adapter}, ${count} ${count === 1 ? 'receiver' : 'receivers'}`
    return {
      row: [
        store,
        adapter,
        count,
        deliveries,
        COPIES,
        Math.round(seconds),
        answers.requests,
        answers['2xx'],
        answers[503],
        answers[500] + answers.refused + answers['cut off'],
        verdict.effects,
        verdict.lost.length,
        verdict.early.length,
        verdict.twice.unexplained,
      ].map(String),
      broken: brokenBy(verdict, sender.abandoned, name),
    }
  } finally {
    await Promise.all(receivers.map((receiver) => receiver.stop()))
  }
}
