import { once } from 'node:events'
import { connect } from 'node:net'

/** As many clients as send at once. */
const CONNECTIONS = 10

/**
 * Connections to a server that stay open, so that short turns of many servers do not begin with a handshake each. The load is made
 * with as little work as possible: it may have to share a core with the server.
 */
export async function openConnections(port) {
  const sockets = Array.from({ length: CONNECTIONS }, () => connect({ port, noDelay: true }))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return {
    /** Sends a request many times; resolves to how many responses had which status. */
    send: (request, amount) => sendAll(sockets, bytesOf(request), amount),
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function bytesOf({ path, headers, body }) {
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': body.length })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n`), body])
}

async function sendAll(sockets, request, amount) {
  const statuses = {}
  let left = amount
  const sendThrough = async (socket) => {
    const responses = responsesOf(socket)
    try {
      while (left-- > 0) {
        socket.write(request)
        const status = await responses.next()
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    } finally {
      responses.stop()
    }
  }
  await Promise.all(sockets.map(sendThrough))
  return statuses
}

/** The statuses of the responses that arrive. */
function responsesOf(socket) {
  let text = ''
  let waiting
  const read = (chunk) => {
    text += chunk.toString('latin1')
    const end = endOf(text)
    if (end > text.length) return
    waiting.resolve(Number(text.slice(9, 12)))
    text = text.slice(end)
  }
  const fail = () => waiting?.reject(new Error(`The server closed a connection. ${text}`))
  socket.on('data', read).on('close', fail).on('error', fail)
  return {
    next: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
      }),
    stop: () => socket.off('data', read).off('close', fail).off('error', fail),
  }
}

/** Where the first response ends; Infinity while its headers are not complete. */
function endOf(text) {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return Number.POSITIVE_INFINITY
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head)) ?? []
  return head + 4 + Number(length)
}
