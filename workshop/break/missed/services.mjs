// Stand-ins of services that can be asked for what they sent: their APIs, as their documentation describes them.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { send } from '@webhook-receiver/checks/wire.mjs'
import { listening } from '@webhook-receiver/conformance'
import { signDelivery } from '@webhook-receiver/core/testing'
import { github, stripe, svix } from '@webhook-receiver/schemes'

const TOKEN = 'token_of_the_api'

/**
 * @typedef {object} Service
 * @property {string} name of its command in the guide
 * @property {import('@webhook-receiver/core').Scheme} scheme
 * @property {string} event
 * @property {string} secret
 * @property {(uuid: string) => string} idOf
 * @property {(at: number, id: string) => object} contentOf what is in the body besides the sample
 * @property {boolean} retries by itself
 * @property {number} kept how long it has what it sent, in seconds
 * @property {(url: URL) => Record<string, string>} env of the command
 * @property {(url: URL) => readonly [string, string]} [change] of the command: its SDK is told the address in its options
 * @property {(missed: number) => number} [asksFor] how many requests to send again are a part of what the command makes
 * @property {(standIn: StandIn, url: URL, body: any) => Promise<Reply> | Reply | undefined} reply to a request to its API
 *
 * @typedef {{ status?: number, headers?: Record<string, string>, json?: unknown, text?: string }} Reply
 *
 * @type {readonly Service[]}
 */
export const SERVICES = [
  {
    // https://docs.stripe.com/api/events/list and https://docs.stripe.com/api/pagination
    name: 'stripe',
    scheme: stripe,
    event: 'invoice.paid',
    secret: 'whsec_of_the_endpoint_at_stripe',
    idOf: (uuid) => `evt_${uuid.replaceAll('-', '').slice(0, 24)}`,
    contentOf: (created) => ({ object: 'event', created }),
    retries: true,
    kept: 30 * 86_400,
    env: () => ({ STRIPE_API_KEY: TOKEN }),
    change: ({ hostname, port }) => [
      "new Stripe(process.env.STRIPE_API_KEY ?? '')",
      `new Stripe('${TOKEN}', { protocol: 'http', host: '${hostname}', port: ${port} })`,
    ],
    reply({ stream }, { pathname, searchParams }) {
      if (pathname !== '/v1/events') return undefined
      const value = (name) => searchParams.get(name)
      const types = [...searchParams].filter(([name]) => /^types\[\d*\]$/.test(name))
      const from = Number(value('created[gte]') ?? 0)
      const until = Number(value('created[lt]') ?? Infinity)
      const found = stream
        .filter(({ at }) => Math.floor(at) >= from && Math.floor(at) < until)
        .filter(({ event }) => types.length === 0 || types.some(([, type]) => type === event))
        .reverse()
      const start = found.findIndex(({ id }) => id === value('starting_after')) + 1
      const end = start + Math.min(Number(value('limit') ?? 10), 100)
      const data = found.slice(start, end).map(({ body }) => parsed(body))
      return { json: { object: 'list', url: pathname, has_more: end < found.length, data } }
    },
  },
  {
    // https://docs.github.com/en/rest/repos/webhooks: what is listed has no content, and ids of 64 bits.
    name: 'github',
    scheme: github,
    event: 'push',
    secret: 'the text in the field Secret',
    idOf: (uuid) => uuid,
    contentOf: (at, id) => ({ after: id, pushed_at: at }),
    retries: false,
    kept: 3 * 86_400,
    env: (url) => ({
      GITHUB_HOOK: new URL('/repos/acme/shop/hooks/12345678', url).href,
      GITHUB_TOKEN: TOKEN,
    }),
    asksFor: (missed) => Math.ceil(missed / 4),
    async reply(standIn, url, body) {
      const [, id, rest] =
        /^\/repos\/acme\/shop\/hooks\/12345678\/deliveries(?:\/(\d+))?(\/attempts)?$/.exec(
          url.pathname,
        ) ?? []
      if (body !== undefined && rest) {
        const attempt = standIn.attempts.find((one) => String(one.id) === id)
        if (!attempt) return { status: 404, json: { message: 'Not Found' } }
        standIn.sendLater(attempt.recorded)
        return { status: 202, json: {} }
      }
      if (id !== undefined) return undefined
      const size = Math.min(Number(url.searchParams.get('per_page') ?? 30), 100)
      const latest = standIn.attempts.toReversed()
      const cursor = url.searchParams.get('cursor')
      const start = cursor ? latest.findIndex((one) => `v1_${one.id}` === cursor) : 0
      const next = latest[start + size]
      const items = latest.slice(start, start + size).map((one, index) => {
        const status = one.status >= 200 && one.status < 300 ? 'OK' : 'failed to connect to host'
        const item = {
          id: `:${index}:`,
          guid: one.recorded.id,
          delivered_at: new Date(one.at * 1000).toISOString(),
          ...{ redelivery: one.again, duration: 0.1, status, status_code: one.status },
          ...{ event: one.recorded.event, action: null, installation_id: null, repository_id: 7 },
        }
        // JSON.stringify has no numbers of so many digits.
        return JSON.stringify(item).replace(`":${index}:"`, String(one.id))
      })
      const link = new URL(url)
      link.searchParams.set('cursor', `v1_${next?.id}`)
      const headers = next ? { link: `<${link.href}>; rel="next"` } : {}
      return { headers, text: `[${items}]` }
    },
  },
  {
    // https://api.svix.com/docs: "List Attempted Messages" and "Recover Failed Webhooks"
    name: 'svix',
    scheme: svix,
    event: 'invoice.paid',
    secret: `whsec_${randomBytes(24).toString('base64')}`,
    idOf: (uuid) => `msg_${uuid.replaceAll('-', '').slice(0, 27)}`,
    contentOf: () => ({}),
    retries: true,
    kept: 90 * 86_400,
    env: (url) => ({
      SVIX_ENDPOINT: new URL('/api/v1/app/app_1/endpoint/ep_1', url).href,
      SVIX_TOKEN: TOKEN,
    }),
    // One for all.
    asksFor: () => 1,
    reply(standIn, { pathname, searchParams }, body) {
      const [SUCCESS, PENDING, FAILED, SENDING] = [0, 1, 2, 3]
      const statusOf = ({ id }) => {
        if (standIn.sending.has(id)) return SENDING
        const own = standIn.attempts.filter((one) => one.recorded.id === id)
        if (own.some(({ status }) => status >= 200 && status < 300)) return SUCCESS
        return own.length === 0 ? PENDING : FAILED
      }
      const after = (since) => standIn.stream.filter(({ at }) => at * 1000 > Date.parse(since))
      if (pathname.endsWith('/endpoint/ep_1/msg')) {
        const wanted = searchParams.get('status')
        const found = after(searchParams.get('after') ?? 0)
          .filter((recorded) => wanted === null || statusOf(recorded) === Number(wanted))
          .reverse()
        const limit = Number(searchParams.get('limit') ?? 50)
        const data = found.slice(0, limit).map((recorded) => ({
          id: recorded.id,
          eventType: recorded.event,
          timestamp: new Date(recorded.at * 1000).toISOString(),
          status: statusOf(recorded),
        }))
        return { json: { data, done: found.length <= limit, iterator: data.at(-1)?.id ?? null } }
      }
      if (!pathname.endsWith('/endpoint/ep_1/recover') || !body?.since) return undefined
      for (const recorded of after(body.since)) {
        if (statusOf(recorded) === FAILED) standIn.sendLater(recorded)
      }
      const json = { id: 'qtask_1', status: 'running', task: 'endpoint.recover' }
      return { status: 202, json }
    },
  },
]

/**
 * A service with its API. It sends to a receiver, which may be away.
 *
 * @typedef {{ id: bigint, recorded: import('./stream.mjs').Recorded, at: number, status: number, again: boolean }} Attempt
 */
export class StandIn {
  /** @type {Attempt[]} the latest last */
  attempts = []
  /** The ids of what is being sent again. */
  sending = new Set()
  /** How many requests its API got, by method. */
  asked = { GET: 0, POST: 0 }
  /** Called when its API is asked. */
  onAsked = () => {}
  #server
  #again = Promise.resolve()

  /**
   * @param {Service} service
   * @param {import('./stream.mjs').Recorded[]} stream
   * @param {number} port of the receiver
   */
  constructor(service, stream, port) {
    this.service = service
    this.stream = stream
    this.receiver = port
  }

  /** Begins to respond as the API. Resolves to its address. */
  async open() {
    this.#server = await listening(createServer((...exchange) => this.#respond(...exchange)))
    return new URL(`http://127.0.0.1:${this.#server.port}`)
  }

  async close() {
    await this.#again
    await this.#server.close()
  }

  /** Makes an attempt at each delivery, eight at once. `at` is the time of the attempt. */
  async send(recorded, { again = false, at = (one) => one.at } = {}) {
    const waiting = recorded.values()
    const worker = async () => {
      for (const one of waiting) await this.#attempt(one, at(one), again)
    }
    await Promise.all(Array.from({ length: 8 }, worker))
  }

  /** Sends once more what its API was asked for, after the response. */
  sendLater(recorded) {
    this.sending.add(recorded.id)
    const attempt = async () => {
      await this.#attempt(recorded, Date.now() / 1000, true)
      this.sending.delete(recorded.id)
    }
    this.#again = this.#again.then(attempt)
  }

  /** Until all has been sent that was asked for. */
  async idle() {
    while (this.sending.size > 0) await this.#again
  }

  async #attempt(recorded, at, again) {
    const { scheme, secret } = this.service
    const { id, event, body } = recorded
    // Each attempt has its own signature.
    const signed = await signDelivery(secret, body, { scheme, id, event })
    const { outcome } = await send(this.receiver, { ...signed, path: `/${scheme.name}` })
    // 0 where there is no response.
    const status = Number(outcome) || 0
    const number = 3_804_004_623_172_239_366n + BigInt(this.attempts.length)
    this.attempts.push({ id: number, recorded, at, status, again })
  }

  async #respond(incoming, response) {
    const text = Buffer.concat(await incoming.toArray()).toString()
    this.asked[incoming.method] += 1
    this.onAsked(incoming.method)
    const url = new URL(incoming.url, `http://${incoming.headers.host}`)
    const body = incoming.method === 'POST' ? JSON.parse(text || '{}') : undefined
    const isKnown = incoming.headers.authorization === `Bearer ${TOKEN}`
    const reply = isKnown ? await this.service.reply(this, url, body) : { status: 401, json: {} }
    const { status = 200, headers, json, text: own } = reply ?? { status: 404, json: {} }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(own ?? JSON.stringify(json))
  }
}

function parsed(body) {
  return JSON.parse(Buffer.from(body).toString())
}
