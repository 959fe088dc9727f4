import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '@webhook-receiver/tools/random.mjs'
import { postgresServer, redisServer } from '@webhook-receiver/tools/servers.mjs'
import { prepare } from '../chaos/grounds.mjs'
import { startReceiver } from '../chaos/receivers.mjs'
import { createSender } from '../chaos/sender.mjs'
import { sendLateCopies, startLoad } from './load.mjs'
import { CONTROL } from './options.mjs'
import { figuresOf } from './verdict.mjs'

/** A handler works up to so many milliseconds before its effect, and again after it. */
const DWELL = 100

/** Load before the first outage and after each, in milliseconds. */
const BETWEEN = 2000

const IN_FLIGHT = 200

/**
 * Stops the store's server under load and starts it again; the receiver stays as it is. Gives a row of figures
 * and the promises that were broken.
 */
export async function runOutages(store, { rounds, down, lease, rate, seed }, onMade) {
  const server = await serverOf(store)
  onMade(server)
  await server.start()
  const grounds = await prepare(store === CONTROL ? 'redis' : store, server.services)
  // The rest goes with the server.
  onMade({ remove: grounds.removeJournal })
  const secret = `whsec_outage_${seed}`
  const receiver = await startReceiver({
    ...grounds.settings,
    ...{ adapter: 'node', effects: 'journal', failures: 0, dwell: DWELL, lease, seed, secret },
    number: 0,
  })
  onMade({ remove: receiver.stop })

  const answers = []
  const onAnswer = (answer) => answers.push(answer)
  const sender = createSender({ secret, random: seeded(seed), inFlight: IN_FLIGHT, onAnswer })

  async function work() {
    const load = startLoad(sender, { rate, seed, port: receiver.port })
    try {
      const outages = await goAndComeBack()
      const ids = await load.stop()
      await sendLateCopies(sender, ids, receiver.port)
      return { ids, outages }
    } finally {
      load.stop()
    }
  }

  async function goAndComeBack() {
    const outages = []
    await delay(BETWEEN)
    for (let round = 0; round < rounds; round++) {
      const signal = round % 2 ? 'SIGKILL' : undefined
      const from = Date.now()
      await server.stop(signal)
      const gone = Date.now()
      await delay(down * 1000)
      const starting = Date.now()
      await server.start()
      outages.push({ from, gone, starting, to: Date.now() })
      console.error(
        `${store}: ${signal ? 'killed' : 'stopped'} and started, ${round + 1} of ${rounds}`,
      )
      await delay(BETWEEN)
    }
    return outages
  }

  const { ids, outages } = await Promise.race([work(), receiver.failed])
  const facts = grounds.journal()
  const effects = facts.filter(({ fact }) => fact === 'effect')
  return figuresOf({
    store,
    // A mark in the transaction of the effects leaves no window.
    lease: store === 'postgres-transactional' ? undefined : lease,
    version: server.version,
    ids,
    outages,
    answers,
    sender,
    facts,
    effects: [...(await grounds.effects()), ...effects],
  })
}

function serverOf(store) {
  return store.startsWith('redis') ? redisServer({ forgets: store === CONTROL }) : postgresServer()
}
