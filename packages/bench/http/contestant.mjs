import { messageOf } from './body.mjs'
import { startProcess } from './processes.mjs'
import { SCHEMES } from './schemes.mjs'

/** The connections that send at once. */
const CONNECTIONS = 10

/** Small requests until what a server costs no longer falls: ours took 18,000 of them, on Node 24. */
const WARM_UP = { requests: 20_000, size: 600 }

/**
 * A contender on a fresh server, seen to accept what is right and to refuse what is not.
 *
 * `measure(requests)` resolves to { cpu, rate, p50, p99 }: µs of CPU a request, requests a second, and
 * the latency in milliseconds. It fails unless each request was accepted and handed to the application.
 * `warmUp()` lets the compiler of the engine come to rest. `refuse(kind, requests)` is the same for requests that are `unsigned` or `forged`, of which none may
 * be accepted.
 */
export async function startContestant(contender, body, { load, ...where }) {
  const { name, file, scheme } = contender
  const { secret, headers } = SCHEMES[scheme]
  const server = await startProcess('./server.mjs', [file, secret], where)
  const { port } = await server.answer()
  const genuine = requestOf(body, headers(body))
  const refused = {
    unsigned: requestOf(body, {}),
    forged: requestOf(altered(body), headers(body)),
  }
  await expectVerdicts()
  return { name, pid: server.pid, warmUp, measure, refuse, stop: server.stop }

  async function warmUp(share = 1) {
    const small = messageOf(WARM_UP.size)
    await measured(requestOf(small, headers(small)), Math.ceil(WARM_UP.requests * share))
  }

  async function measure(requests) {
    const { taken, statuses, ...figures } = await measured(genuine, requests)
    if (taken !== requests || !Object.keys(statuses).every(isAccepted)) {
      throw new Error(`${name} answered ${JSON.stringify(statuses)} and took ${taken}.`)
    }
    return figures
  }

  async function refuse(kind, requests, connections) {
    const { taken, statuses, ...figures } = await measured(refused[kind], requests, connections)
    if (taken !== 0 || Object.keys(statuses).some(isAccepted)) {
      throw new Error(`${name} answered ${JSON.stringify(statuses)} to what is ${kind}.`)
    }
    return { ...figures, statuses }
  }

  async function expectVerdicts() {
    await measure(1)
    if (scheme !== 'none') await refuse('forged', 1)
  }

  async function measured(request, requests, connections = CONNECTIONS) {
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

/** One letter of the text in another case: still JSON, still as long. */
function altered(body) {
  const copy = Buffer.from(body)
  copy[copy.lastIndexOf('shop')] ^= 0x20
  return copy
}

function requestOf(body, headers) {
  const lines = Object.entries({
    Host: 'localhost',
    'User-Agent': 'bench',
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST /webhooks HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}
