// A receiver that may be killed at any moment: node receiver.mjs SETTINGS.
import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { reply } from '@webhook-receiver/core'
import { applications, listen } from '../../applications.mjs'
import { openStore } from './open-store.mjs'

const settings = JSON.parse(process.argv[2])
const { lease, failures, dwell } = settings
const random = seeded(settings.seed + settings.number)
const { store, effect } = await openStore(settings)
const isTransactional = 'transact' in store
const options = { store, lease, onRejected: false, onError() {} }
const { WEBHOOK_SECRET: secret } = process.env
listen(await applications.node(secret, options, { handlers: { any: handle } }))

async function handle({ id }, { transaction }) {
  const fails = random() < failures
  // Outside of a transaction a failure after the effect would be a second effect by right.
  const early = fails && (!isTransactional || random() < 0.5)
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
