// Sends unsigned requests to a server, as fast as it takes them, by HTTP/1.1 and by HTTP/2.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { connect } from 'node:net'

/** How many requests are sent at the same time. */
const BATCH = 64

const HEAD = ' HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

const EMPTY = `${HEAD}Content-Length: 0\r\n\r\n`

/** The rest of a request with a body, whose signature is wrong but well-formed: a receiver has to read the body. */
export const FORGED = `${HEAD}X-Webhook-Timestamp: 1767225600\r\nX-Webhook-Signature: sha256=${'0'.repeat(64)}\r\nContent-Length: 2\r\n\r\n{}`

/** Resolves to how many of the targets got each status. */
export async function send(server, http2, nextTarget, total, rest = EMPTY) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  const statuses = {}
  const count = (status) => {
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const sendBatch = http2 ? await http2Sender(port, count) : http1Sender(port, count, rest)
  for (let sent = 0; sent < total; sent += BATCH) {
    await sendBatch(Array.from({ length: Math.min(BATCH, total - sent) }, nextTarget))
  }
  await sendBatch.end()
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections?.()
  })
  return statuses
}

/** Resolves to the bytes that Node's parser accepts in a target: it responds with 400, or nothing, to the others. */
export async function acceptedBytes(http2) {
  const accepted = []
  const respond = (_req, res) => res.end()
  for (let byte = 0; byte < 256; byte++) {
    const server = http2 ? createHttp2Server(respond) : createServer(respond)
    const target = `/a${String.fromCharCode(byte)}b`
    const statuses = await send(server, http2, () => target, 1)
    if (statuses[200] === 1) accepted.push(byte)
  }
  return accepted
}

/**
 * A sender on one connection, which is replaced if the server closes it. Node drops the pending responses when something
 * malformed follows, so the requests after the last response are sent again.
 */
function http1Sender(port, count, tail) {
  let socket
  const sendBatch = async (targets) => {
    for (let rest = targets; rest.length > 0; ) {
      socket = socket?.writable ? socket : connect(port, '127.0.0.1').on('error', ignore)
      const responded = await exchange(socket, rest, count, tail)
      rest = rest.slice(Math.max(1, responded))
    }
  }
  sendBatch.end = async () => socket?.destroy()
  return sendBatch
}

/** Resolves to the number of responses: as many as targets, or fewer if the server closed the connection. */
function exchange(socket, targets, count, rest) {
  return new Promise((resolve) => {
    let responded = 0
    let tail = ''
    const onData = (chunk) => {
      const text = tail + chunk.toString('latin1')
      let last = 0
      for (const match of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        count(match[1])
        responded++
        last = match.index + match[0].length
      }
      tail = text.slice(Math.max(last, text.length - 11))
      if (responded >= targets.length) settle()
    }
    const settle = () => {
      socket.off('data', onData).off('close', settle)
      resolve(responded)
    }
    socket.on('data', onData).on('close', settle)
    socket.write(targets.map((target) => `POST ${target}${rest}`).join(''), 'latin1')
  })
}

function ignore() {}

/** A sender on one session, which is replaced if the server ends it, after many invalid targets. */
async function http2Sender(port, count) {
  const open = async () => {
    const opened = connectHttp2(`http://127.0.0.1:${port}`)
    opened.on('error', ignore)
    await once(opened, 'connect')
    return opened
  }
  let session = await open()
  const sendOne = (target) =>
    new Promise((resolve) => {
      if (session.closed || session.destroyed) return resolve(false)
      const headers = { ':method': 'POST', ':path': target, 'content-type': 'application/json' }
      const stream = session.request(headers)
      let status = 'no response'
      stream.on('response', (headers) => {
        status = headers[':status']
      })
      stream.on('error', ignore)
      stream.on('close', () => {
        count(status)
        resolve(true)
      })
      stream.resume()
      stream.end()
    })
  const sendBatch = async (targets) => {
    for (let rest = targets; rest.length > 0; ) {
      if (session.closed || session.destroyed) session = await open()
      const sent = await Promise.all(rest.map(sendOne))
      rest = rest.filter((_, index) => !sent[index])
    }
  }
  sendBatch.end = async () => session.destroy()
  return sendBatch
}
