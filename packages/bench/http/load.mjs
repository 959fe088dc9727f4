// The load generator. Replies to each message { port, request, requests, connections } with the result.
import { connect } from 'node:net'

process.on('message', async ({ port, request, requests, connections }) => {
  process.send(await load(port, Buffer.from(request, 'base64'), requests, connections))
})
process.on('disconnect', () => process.exit())

/**
 * Sends the same request over and over; each connection waits for the response before it sends the next,
 * and is opened again where the server has closed it. `statuses` counts the responses.
 */
async function load(port, request, requests, connections) {
  const latencies = new Float64Array(requests)
  const statuses = {}
  let sent = 0
  let completed = 0
  const began = performance.now()
  const rest = stayAwake()
  await Promise.all(Array.from({ length: Math.min(connections, requests) }, oneByOne))
  const seconds = (performance.now() - began) / 1000
  rest()
  latencies.sort()
  const at = (share) => latencies[Math.min(requests - 1, Math.floor(requests * share))]
  return { seconds, statuses, p50: at(0.5), p99: at(0.99) }

  async function oneByOne() {
    while (sent < requests) await oneConnection()
  }

  function oneConnection() {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true)
      let since
      let text = ''
      const send = () => {
        since = undefined
        if (sent >= requests) return socket.end()
        sent++
        since = performance.now()
        socket.write(request)
      }
      const count = (outcome) => {
        latencies[completed++] = performance.now() - since
        statuses[outcome] = (statuses[outcome] ?? 0) + 1
      }
      socket.on('connect', send)
      socket.on('data', (chunk) => {
        text += chunk.latin1Slice()
        if (since === undefined || !isWhole(text)) return
        count(text.slice(9, 12))
        text = ''
        send()
      })
      // A rejected sender may find the connection reset.
      socket.on('error', () => {})
      socket.on('close', () => {
        if (since !== undefined) count('none')
        resolve()
      })
    })
  }
}

/** Keeps this process from sleeping until the next response: the server that writes it would pay for waking it up. */
function stayAwake() {
  let next
  const again = () => {
    next = setImmediate(again)
  }
  again()
  return () => clearImmediate(next)
}

/** Whether a response is complete: by its length, by its last chunk, or without a body (RFC 9112, section 6.3). */
function isWhole(text) {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = text.slice(0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return text.length >= end + 4 + Number(length)
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return text.endsWith('0\r\n\r\n')
  return true
}
