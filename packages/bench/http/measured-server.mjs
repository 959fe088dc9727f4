import { messageOf } from '../messages.mjs'
import { startProcess } from '../processes.mjs'
import { SECRET, signedHeaders } from '../signatures.mjs'

/** The connections that send at once. */
const CONNECTIONS = 10

/** The first requests of a process, while its code is compiled. */
export const COLD = 6000

/** How many requests of each size, in bytes, make a block. */
export const BLOCKS = new Map([
  [600, 1500],
  [8 * 1024, 1000],
  [64 * 1024, 300],
  [512 * 1024, 40],
])

/** What most deliveries are, in bytes. */
export const SMALL = 600

/** Requests until the cost no longer falls. */
const WARM_UP = 12_000

/**
 * Starts a server for one subject and checks that it accepts what is valid and rejects what is not.
 *
 * `measure(body, requests)` resolves to { cpu, rate, p50, p99 }: µs of CPU for each request, requests a second, and
 * the latency in milliseconds. It fails unless each request was accepted and reached the application.
 * `sendRejected(kind, body, requests)` does the same with `unsigned` or `forged` requests, and fails if one was accepted.
 */
export async function startMeasuredServer(subject, { load, ...where }) {
  const { framework, name, server: key, scheme, verifies } = subject
  const url = new URL('./server.mjs', import.meta.url)
  const server = await startProcess(url, [framework, key, SECRET], where)
  const { port } = await server.reply()
  const small = messageOf(SMALL)
  await measure(small, 1)
  if (verifies) await sendRejected('forged', small, 1)
  return { name, pid: server.pid, warmUp, measure, sendRejected, stop: server.stop }

  function warmUp(share = 1) {
    return measure(small, Math.ceil(WARM_UP * share))
  }

  async function measure(body, requests) {
    const valid = requestOf(body, signedHeaders(scheme, body))
    const { taken, statuses, ...figures } = await send(valid, requests)
    if (taken !== requests || !Object.keys(statuses).every(isAccepted)) {
      throw new Error(`${name} responded with ${JSON.stringify(statuses)} and took ${taken}.`)
    }
    return figures
  }

  async function sendRejected(kind, body, requests, connections) {
    const request =
      kind === 'unsigned'
        ? requestOf(body, signedHeaders('none', body))
        : requestOf(altered(body), signedHeaders(scheme, body))
    const { taken, statuses, ...figures } = await send(request, requests, connections)
    if (taken !== 0 || Object.keys(statuses).some(isAccepted)) {
      throw new Error(`${name} responded with ${JSON.stringify(statuses)} to ${kind} requests.`)
    }
    return { ...figures, statuses }
  }

  async function send(request, requests, connections = CONNECTIONS) {
    const before = await server.ask('usage')
    const { seconds, ...outcome } = await load.ask({
      port,
      request: request.toString('base64'),
      requests,
      connections,
    })
    const after = await server.ask('usage')
    const cpu = (after.cpu - before.cpu) / requests
    return { cpu, rate: requests / seconds, taken: after.taken - before.taken, ...outcome }
  }
}

function isAccepted(status) {
  return status === '200' || status === '204'
}

/** One letter of the text in another case: still JSON, and as long. */
function altered(body) {
  const copy = Buffer.from(body)
  copy[copy.lastIndexOf('shop')] ^= 0x20
  return copy
}

/** The bytes of a request. */
function requestOf(body, headers) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST /webhooks HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}
