// A receiver that may be killed at any moment. Its parent tells it when to listen: until then it is a spare.
import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '@webhook-receiver/tools/random.mjs'
import { openJournal } from './journal.mjs'
import { openStore } from './receiver-stores.mjs'
import { createReceiverServer } from './servers.mjs'

const settings = JSON.parse(process.argv[2])
const { number, adapter, secret, lease, failures, dwell } = settings
const random = seeded(settings.seed + number)
const journal = openJournal(settings.journal)
const { store, transactional, effect } = await openStore(settings, journal)
const server = await createReceiverServer(adapter, secret, { any: handle }, { store, lease })

process.on('message', ({ port }) => {
  server.listen(port, '127.0.0.1', () => process.send({ listening: server.address().port }))
})
// Whoever started it is gone.
process.on('disconnect', () => process.exit())
process.send({ ready: true })

async function handle({ id }, { transaction }) {
  const fails = random() < failures
  // Outside of a transaction a failure after the effect would be a second effect by right.
  const early = fails && (!transactional || random() < 0.5)
  await delay(random() * dwell)
  if (early) throw fault()
  await effect(id, transaction)
  await delay(random() * dwell)
  if (fails) throw fault()
}

function fault() {
  const error = new Error('A handler that fails, as some do.')
  // Some adapters print it; where the trace points is known.
  error.stack = error.message
  return error
}
