import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { postgresServer, redisServer } from '@webhook-receiver/checks/servers.mjs'
import { prepareRun } from '../engine/run.mjs'
import { forEach } from '../engine/sender.mjs'

/** A Redis that keeps nothing on disk: as a control, it has to fail. */
export const CONTROL = 'redis-forgets'

/** A handler works up to so many milliseconds before its effect, and again after it. */
const DWELL = 100

/** Load before the first outage and after each, in milliseconds. */
const BETWEEN = 2000

/** Requests at the same moment, and late copies at the same moment. */
const IN_FLIGHT = 200
const LATE_COPIES = 20

/** Of the deliveries, this share is sent twice at once. */
const TWICE = 0.3

/** In how many milliseconds a receiver has to acknowledge again after its server is back. */
const RECOVERY = 5000

/** The default of `storeTimeout`, and what a busy machine may add to it, in milliseconds. */
const SLOWEST = 2000 + 500

/** For so many milliseconds what a killed server had started may still go on. */
const DYING = 250

/** Stops the server of the store under load and starts it again. The receiver stays as it is. */
export async function runOutages({ name, store, rounds, down, lease, rate, seed }, onEnd) {
  const server = await (store.startsWith('redis')
    ? redisServer({ persistent: store !== CONTROL })
    : postgresServer())
  onEnd(server.remove)
  await server.start()
  const { port, receiver, sender, evaluate } = await prepareRun(
    {
      ...{
        name,
        store: store === CONTROL ? 'redis' : store,
        url: server.url,
        adapter: 'node',
        seed,
      },
      ...{ lease, dwell: DWELL, inFlight: IN_FLIGHT },
    },
    onEnd,
  )
  const { ids, outages } = await Promise.race([receiver.failed, work()])
  const { figures, violations } = await evaluate(ids)
  const responses = sender.counts
  const isTransactional = store === 'postgres-transactional'

  const away = sender.responses.filter((response) =>
    outages.some((outage) => isDuring(outage, response)),
  )
  const accepted = away.filter(({ kind }) => kind === '2xx').length
  const unavailable = away.filter(({ kind }) => kind === 'HTTP 503').length
  const slowest = Math.round(Math.max(0, ...away.map(({ milliseconds }) => milliseconds)))
  const recovered = outages.map(({ starting, to }) => {
    const first = sender.acknowledged.find(({ at }) => at > starting)
    return first ? Math.max(0, first.at - to) : Number.POSITIVE_INFINITY
  })
  const checks = [
    [accepted > 0, `${accepted} × 2xx without a server`],
    [unavailable === 0, 'no 503 while the server was away'],
    [unavailable + accepted < away.length, 'something other than 503 while the server was away'],
    [slowest > SLOWEST, `a response took ${slowest} ms`],
    [responses['cut off'] > 0, `${responses['cut off']} requests without a response`],
    // In a transaction the handler's own statement fails with its server, and that is a 500.
    [responses['HTTP 500'] > 0 && !isTransactional, `${responses['HTTP 500']} × 500`],
    ...recovered.map((time) => [time > RECOVERY, `acknowledged again only after ${time} ms`]),
  ]
  const found = checks.filter(([wrong]) => wrong).map(([, how]) => `${name}: ${how}`)
  return {
    version: server.version,
    figures: {
      store,
      lease: isTransactional ? '–' : `${lease} s`,
      outages: outages.length,
      deliveries: ids.length,
      'while away: 503': unavailable,
      'while away: 2xx': accepted,
      slowest: `${slowest} ms`,
      'back after, ms': recovered.join(', '),
      ...figures,
    },
    violations: [...violations, ...found],
  }

  async function work() {
    const load = startLoad(sender, { rate, seed, port })
    try {
      const outages = []
      await delay(BETWEEN)
      for (let round = 0; round < rounds; round++) {
        outages.push(await interrupt(round % 2 ? 'SIGKILL' : undefined))
        console.error(`${name}: ${round + 1} of ${rounds} outages`)
        await delay(BETWEEN)
      }
      const ids = await load.stop()
      // Each delivery once more, long after it was acknowledged.
      await forEach(ids, LATE_COPIES, (id) => sender.deliver(id, [port], 1))
      return { ids, outages }
    } finally {
      load.stop()
    }
  }

  async function interrupt(signal) {
    const from = Date.now()
    await server.stop(signal)
    const gone = Date.now()
    await delay(down * 1000)
    const starting = Date.now()
    await server.start()
    return { from, gone, starting, to: Date.now() }
  }
}

/** New deliveries at a steady rate. `stop` resolves with the ids of all, when each is acknowledged or abandoned. */
function startLoad(sender, { rate, seed, port }) {
  const random = seeded(seed + 1)
  const ids = []
  const pending = new Set()
  const timer = setInterval(() => {
    const id = `outage-${seed}-${ids.length}`
    ids.push(id)
    const copies = random() < TWICE ? 2 : 1
    const work = sender.deliver(id, [port], copies).finally(() => pending.delete(work))
    pending.add(work)
  }, 1000 / rate)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(pending)
      return ids
    },
  }
}

/** Whether a request was sent and got its response while there was no server. */
function isDuring({ gone, starting }, { at, milliseconds }) {
  return at - milliseconds >= gone + DYING && at <= starting
}
