import { createHmac } from 'node:crypto'
import { tokenOf } from '../../applications.mjs'
import { EVENTS } from '../../model/receivers.mjs'

/** The number of deliveries in a pool. */
const SIZE = 1024

/** How long they are used, in milliseconds: a receiver accepts timestamps of the last 300 s. */
const FRESH = 100_000

const LIMIT = 1_048_576

/** Signed deliveries of many sizes, which are replaced before they are too old. */
export class DeliveryPool {
  #next
  #secret
  #deliveries = []
  #createdAt = 0

  constructor(next, secret) {
    this.#next = next
    this.#secret = secret
  }

  /** One of them: `{ timestamp, signature, body, token }`. */
  any() {
    if (Date.now() - this.#createdAt > FRESH) {
      this.#createdAt = Date.now()
      this.#deliveries = Array.from({ length: SIZE }, (_, index) =>
        this.signed(this.#textLength(index), index),
      )
    }
    return this.#deliveries[this.#next() % SIZE]
  }

  /** A new delivery with so much text, signed with a secret for a time. */
  signed(size, number, { secret = this.#secret, time = Date.now() } = {}) {
    const event = EVENTS[number % EVENTS.length]
    const id = `dlv-${number}`
    const at = new Date(time).toISOString()
    const content = { text: 'x'.repeat(size), from: 'Zoë 👋' }
    const data = { instance_id: 'inst_01', event, data: content, timestamp: at }
    return this.sign(id, Buffer.from(JSON.stringify({ id, event, created_at: at, data })), {
      secret,
      time,
    })
  }

  sign(id, body, { secret = this.#secret, time = Date.now() } = {}) {
    const timestamp = String(Math.floor(time / 1000))
    const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
    return { timestamp, signature: `sha256=${mac}`, body, token: tokenOf(id, body) }
  }

  /** A delivery that is larger than the limit of a receiver by so many bytes. */
  largest(by) {
    const { body } = this.signed(0, 1)
    return this.sign('dlv-1', Buffer.concat([body, Buffer.alloc(LIMIT + by - body.length, ' ')]))
  }

  #textLength(index) {
    const next = this.#next()
    if (index % 64 === 0) return next % 100_000
    return index % 8 === 0 ? next % 8000 : next % 600
  }
}
