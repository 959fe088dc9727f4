// A receiver that may be killed at any moment. Its parent tells it when to listen: until then it is a spare.
import { setTimeout as delay } from 'node:timers/promises'
import { reply } from '@webhook-receiver/core'
import { applications } from '../../applications.mjs'
import { seeded } from '../../random.mjs'
import { openJournal } from './journal.mjs'
import { openStore } from './open-store.mjs'

const settings = JSON.parse(process.argv[2])
const { number, adapter, secret, lease, failures, dwell } = settings
const random = seeded(settings.seed + number)
const { store, transactional, effect } = await openStore(settings, openJournal(settings.journal))
const options = { store, lease, onRejected: false, onError() {} }
const server = await applications[adapter](secret, options, { handlers: { any: handle } })

process.on('message', ({ port }) => {
  server.listen(port, '127.0.0.1', () => process.send({ listening: server.address().port }))
})
// Its parent is gone.
process.on('disconnect', () => process.exit())
process.send({ ready: true })

async function handle({ id }, { transaction }) {
  const fails = random() < failures
  // Outside of a transaction a failure after the effect would be a second effect by right.
  const early = fails && (!transactional || random() < 0.5)
  await delay(random() * dwell)
  if (early) return fail()
  await effect(id, transaction)
  await delay(random() * dwell)
  return fails ? fail() : reply({ status: 202, body: { id } })
}

/** A reply of 503 is a failure like any other. */
function fail() {
  if (random() < 0.5) return reply({ status: 503 })
  throw new Error('the handler fails on purpose')
}
