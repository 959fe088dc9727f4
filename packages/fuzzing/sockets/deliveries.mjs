import { createHmac } from 'node:crypto'
import { EVENTS } from '@webhook-receiver/model/setups.mjs'
import { tokenOf } from '@webhook-receiver/tools/applications.mjs'

/** How many deliveries there are to take from. */
const STOCK = 1024

/** How long they are taken from, in milliseconds: a receiver takes timestamps of the last 300 s. */
const FRESH = 100_000

const LIMIT = 1_048_576

/** Signed deliveries of many sizes, made again when they grow old. */
export class Stock {
  #next
  #secret
  #made = []
  #at = 0

  constructor(next, secret) {
    this.#next = next
    this.#secret = secret
  }

  /** One of them: `{ timestamp, signature, body, token }`. */
  any() {
    if (Date.now() - this.#at > FRESH) {
      this.#at = Date.now()
      this.#made = Array.from({ length: STOCK }, (_, index) =>
        this.signed(this.#size(index), index),
      )
    }
    return this.#made[this.#next() % STOCK]
  }

  /** A new one with so much text in it, signed with that secret and for that time. */
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

  /** Exactly as large as a receiver takes, and larger by so much. */
  largest(by) {
    const { body } = this.signed(0, 1)
    return this.sign('dlv-1', Buffer.concat([body, Buffer.alloc(LIMIT + by - body.length, ' ')]))
  }

  #size(index) {
    const next = this.#next()
    if (index % 64 === 0) return next % 100_000
    return index % 8 === 0 ? next % 8000 : next % 600
  }
}
