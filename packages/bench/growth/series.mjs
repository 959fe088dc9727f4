import { randomUUID } from 'node:crypto'
import { createReceiver } from '@webhook-receiver/core'
import { memoryStore } from '@webhook-receiver/core/handling'
import { z } from 'zod'
import { messageOf } from '../verdict/bodies.mjs'
import { SECRET } from '../verdict/secret.mjs'
import { headersOf, verify } from '../verdict/textbook.mjs'

const SIZE = 600

/**
 * What may grow, each with the places where it is measured and the contender for such a place: what one
 * delivery, or one claim, then takes. `least` is where the slope begins: below it fixed costs are all there is.
 */
export const SERIES = {
  size: {
    places: [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576],
    least: 16_384,
    contender: (size) => receiving(createReceiver(SECRET), { body: messageOf(size) }),
    reference: (size) => textbook(messageOf(size)),
  },
  secrets: { places: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], least: 2, contender: rotation },
  tenants: { places: [1, 10, 100, 1000, 10_000, 100_000], least: 10, contender: tenants },
  schemas: { places: [0, 1, 2, 3, 4, 5, 6, 7], least: 1, contender: schemas },
  ids: { places: [1, 10, 100, 1000, 10_000, 100_000, 1_000_000], least: 100, contender: ids },
}

/** The secret that matches is the last of them. */
function rotation(count) {
  const others = Array.from({ length: count - 1 }, (_, index) => [
    `old${index}`,
    `whsec_old_${index}`,
  ])
  return receiving(createReceiver({ ...Object.fromEntries(others), current: SECRET }))
}

/** Each delivery is another tenant’s, in turn. */
function tenants(count) {
  const receiver = createReceiver((tenant) => `whsec_tenant_${tenant}`)
  const body = messageOf(SIZE)
  let next = 0
  const argument = () => {
    next = (next + 1) % count
    return incomingOf(body, `whsec_tenant_${next}`, next)
  }
  return { argument, call: (incoming) => receiver.receive(incoming), warm: Math.min(count, 3000) }
}

/** So many of the seven events have a schema, and the one that comes has one as soon as any has. */
function schemas(count) {
  const content = z.object({ message_id: z.string(), from: z.string(), text: z.string() })
  const receiver = createReceiver(SECRET, {
    schemas: Object.fromEntries(EVENTS.slice(0, count).map((event) => [event, content])),
  })
  return receiving(receiver)
}

const EVENTS = [
  'message.received',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'instance.connected',
  'instance.disconnected',
]

/** A claim of an id that is new, its completion, and the oldest forgotten: the store is full. */
function ids(count) {
  const store = memoryStore({ maxEntries: count })
  return {
    argument: newId,
    async call(id) {
      await store.claim(id, 'token', 30)
      return store.complete(id, 'token')
    },
    warm: count,
  }
}

/** As it comes out of a body: what randomUUID gives is a string of many pieces. */
function newId() {
  return JSON.parse(`"default:${randomUUID()}"`)
}

function receiving(receiver, { body = messageOf(SIZE) } = {}) {
  const incoming = incomingOf(body, SECRET)
  return { call: () => receiver.receive(incoming) }
}

function textbook(body) {
  const headers = headersOf(body)
  return { call: () => verify(body, headers) && JSON.parse(body.toString()) }
}

function incomingOf(body, secret, context) {
  const headers = headersOf(body, secret)
  return { method: 'POST', header: (name) => headers[name], readBody: () => body, context }
}
