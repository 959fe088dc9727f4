import { createReceiver, EVENTS, memoryStore } from '@webhook-receiver/core'
import { z } from 'zod'
import { newKey } from '../memory-store/ids.mjs'
import { messageOf } from '../messages.mjs'
import { SECRET, signedHeaders } from '../signatures.mjs'
import { parsePlain } from '../verification/plain.mjs'
import { incomingOf } from '../verification/receiver.mjs'

const SIZE = 600

/**
 * What may grow: the places where it is measured, and what is measured there. The slope begins at `least`;
 * below it fixed costs dominate.
 */
export const SERIES = {
  size: {
    places: [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576],
    least: 16_384,
    subject: (size) => receiving(createReceiver(SECRET), messageOf(size)),
    reference: (size) => parsePlain(messageOf(size), messageOf(size)),
  },
  secrets: { places: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], least: 2, subject: rotation },
  tenants: { places: [1, 10, 100, 1000, 10_000, 100_000], least: 10, subject: tenants },
  schemas: { places: [0, 1, 2, 3, 4, 5, 6, 7], least: 1, subject: schemas },
  ids: { places: [1, 10, 100, 1000, 10_000, 100_000, 1_000_000], least: 100, subject: ids },
}

/** The secret that matches is the last one. */
function rotation(count) {
  const others = Array.from({ length: count - 1 }, (_, index) => [
    `old${index}`,
    `whsec_old_${index}`,
  ])
  return receiving(createReceiver({ ...Object.fromEntries(others), current: SECRET }))
}

/** Each delivery is for the next tenant. */
function tenants(count) {
  const receiver = createReceiver((tenant) => `whsec_tenant_${tenant}`)
  const body = messageOf(SIZE)
  let next = 0
  const argument = () => {
    next = (next + 1) % count
    return incomingOf(body, signedHeaders('own', body, `whsec_tenant_${next}`), next)
  }
  return { argument, call: (incoming) => receiver.receive(incoming), warm: Math.min(count, 3000) }
}

/** So many of the seven events have a schema; the first is the one that is received. */
function schemas(count) {
  const content = z.object({ message_id: z.string(), from: z.string(), text: z.string() })
  const receiver = createReceiver(SECRET, {
    schemas: Object.fromEntries(EVENTS.slice(0, count).map((event) => [event, content])),
  })
  return receiving(receiver)
}

/** A new id is claimed and completed; the store is full, so it forgets the oldest. */
function ids(count) {
  const store = memoryStore({ maxEntries: count })
  return {
    argument: newKey,
    async call(key) {
      await store.claim(key, 'token', 30)
      return store.complete(key, 'token')
    },
    warm: count,
  }
}

function receiving(receiver, body = messageOf(SIZE)) {
  const incoming = incomingOf(body, signedHeaders('own', body))
  return { call: () => receiver.receive(incoming) }
}
