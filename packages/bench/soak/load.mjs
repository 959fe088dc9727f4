import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADAPTERS, HANDLED, PATH } from '@webhook-receiver/trials/applications.mjs'
import { DeliveryPool } from '@webhook-receiver/trials/fuzzing/sockets/deliveries.mjs'
import { stream } from '@webhook-receiver/trials/random.mjs'
import { requestOf } from './requests.mjs'

/** How long a response may take, in milliseconds. */
const TIMEOUT = 60_000

/** Sends requests on all connections until the time is up. Resolves to the number of each status, and of wrong responses. */
export async function load(adapter, { port, secret, until, connections, rate, seed }) {
  const next = stream(seed, ADAPTERS.indexOf(adapter), 1)
  const stock = new DeliveryPool(next, secret)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  // For plain Node there is only the handler form, which responds 204.
  const accepted = adapter === 'node' ? 204 : 200
  const pause = (connections / rate) * 1000
  const result = { requests: 0, statuses: {}, wrong: 0, examples: [] }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
  return result

  async function work() {
    await sleep(Math.random() * pause)
    while (performance.now() < until) {
      const started = performance.now()
      const wanted = requestOf(next, stock, accepted)
      const { status, handled, error } = await responseTo(wanted, port, agent)
      result.requests++
      result.statuses[status ?? error] = (result.statuses[status ?? error] ?? 0) + 1
      if (status !== wanted.status || handled !== wanted.token) {
        result.wrong++
        if (result.examples.length < 5) {
          result.examples.push(`${error ?? status} for one that should get ${wanted.status}`)
        }
      }
      await sleep(Math.max(0, pause - (performance.now() - started)))
    }
  }
}

function responseTo({ headers, body }, port, agent) {
  return new Promise((resolve) => {
    const outgoing = request(
      { port, host: '127.0.0.1', path: PATH, method: 'POST', agent, headers, timeout: TIMEOUT },
      (response) => {
        const { statusCode: status } = response
        const handled = response.headers[HANDLED]
        response.resume()
        response.once('end', () => resolve({ status, handled }))
        response.once('error', (error) => resolve({ error: error.code ?? error.message }))
      },
    )
    outgoing.once('timeout', () => outgoing.destroy(new Error('no response')))
    outgoing.on('error', (error) => resolve({ error: error.code ?? error.message }))
    outgoing.end(body)
  })
}
