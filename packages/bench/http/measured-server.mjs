import { messageOf } from '../messages.mjs'
import { startProcess } from '../processes.mjs'
import { SECRET, signedHeaders } from '../signatures.mjs'

/** The connections that send at once. */
const CONNECTIONS = 10

/** Small requests until the cost no longer falls. */
const WARM_UP = { requests: 12_000, size: 600 }

/**
 * Starts a server for one subject and checks that it accepts what is genuine and refuses what is not.
 *
 * `measure(requests)` resolves to { cpu, rate, p50, p99 }: µs of CPU for each request, requests a second, and
 * the latency in milliseconds. It fails unless each request was accepted and reached the application.
 * `refuse(kind, requests)` does the same with `unsigned` or `forged` requests, and fails if one was accepted.
 */
export async function startMeasuredServer(subject, body, { load, ...where }) {
  const { framework, name, server: key, scheme, verifies } = subject
  const url = new URL('./server.mjs', import.meta.url)
  const server = await startProcess(url, [framework, key, SECRET], where)
  const { port } = await server.answer()
  const headers = signedHeaders(scheme, body)
  const genuine = requestOf(body, headers)
  const refused = {
    unsigned: requestOf(body, signedHeaders('none', body)),
    forged: requestOf(altered(body), headers),
  }
  await measure(1)
  if (verifies) await refuse('forged', 1)
  return { name, pid: server.pid, warmUp, measure, refuse, stop: server.stop }

  async function warmUp(share = 1) {
    const small = messageOf(WARM_UP.size)
    await send(requestOf(small, signedHeaders(scheme, small)), Math.ceil(WARM_UP.requests * share))
  }

  async function measure(requests) {
    const { taken, statuses, ...figures } = await send(genuine, requests)
    if (taken !== requests || !Object.keys(statuses).every(isAccepted)) {
      throw new Error(`${name} answered ${JSON.stringify(statuses)} and took ${taken}.`)
    }
    return figures
  }

  async function refuse(kind, requests, connections) {
    const { taken, statuses, ...figures } = await send(refused[kind], requests, connections)
    if (taken !== 0 || Object.keys(statuses).some(isAccepted)) {
      throw new Error(`${name} answered ${JSON.stringify(statuses)} to ${kind} requests.`)
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
export function requestOf(body, headers) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST /webhooks HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}
