import { startReceiver } from '../engine/receivers.mjs'
import { prepareRun } from '../engine/run.mjs'
import { forEach } from '../engine/sender.mjs'

const COPIES = 20

/** The lease, in seconds: nothing is killed here, so it is the default. */
const LEASE = 30

/** Deliveries whose copies are on their way at the same moment. */
const AT_ONCE = 30

/** A handler works up to so many milliseconds before its effect, and again after it. */
const DWELL = 2

/** Sends every copy of a delivery at once, to each receiver in turn. */
export async function runCopies({ name, store, adapter, deliveries, seed, receivers }, onEnd) {
  const { settings, sender, evaluate } = await prepareRun(
    { store, adapter, seed, lease: LEASE, dwell: DWELL, inFlight: AT_ONCE * COPIES },
    onEnd,
  )
  const started = await Promise.all(
    Array.from({ length: receivers }, (_, number) => startReceiver({ ...settings, number }, onEnd)),
  )
  const ports = started.map(({ port }) => port)
  const ids = Array.from({ length: deliveries }, (_, index) => `copies-${seed}-${index}`)
  const begin = performance.now()
  await Promise.race([
    forEach(ids, AT_ONCE, (id) => sender.deliver(id, ports, COPIES)),
    ...started.map(({ failed }) => failed),
  ])
  const seconds = Math.round((performance.now() - begin) / 1000)
  const { figures, violations } = await evaluate(name, ids)
  return {
    figures: { store, adapter, receivers, deliveries, copies: COPIES, seconds, ...figures },
    violations,
  }
}
