import { once } from 'node:events'
import { connect } from 'node:net'

/** How long `send` waits while nothing comes, in milliseconds. */
const TIMEOUT = 60_000

/**
 * The head of a request, as text. The server closes the connection behind its response.
 *
 * @param {Readonly<Record<string, string>>} [headers]
 */
export function requestHead(headers = {}, method = 'POST', path = '/webhooks') {
  const all = { Host: 'localhost', Connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/**
 * Sends bytes on a separate connection, as fast as the server takes them. Resolves to the status of the response
 * when the connection is closed, or to what happened instead.
 *
 * @param {number} port
 * @param {Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>} parts
 * @returns {Promise<number | string>}
 */
export async function exchange(port, parts) {
  return (await converse(port, parts)).outcome
}

/** Posts a request on a separate connection. Resolves to the outcome, to what stands behind the head of the response, and to how long it took. */
export async function send(port, { headers, body, path }) {
  const started = performance.now()
  const head = requestHead({ ...headers, 'Content-Length': body.length }, 'POST', path)
  const found = await converse(port, [head, body], TIMEOUT)
  return { ...found, milliseconds: performance.now() - started }
}

/** Whether a connection is accepted there. */
export async function isListening(port, host = '127.0.0.1') {
  const socket = connect(port, host)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function converse(port, parts, timeout = 0) {
  const socket = connect(port, '127.0.0.1').setTimeout(timeout, () => socket.destroy())
  let response = ''
  let fault = 'no response'
  socket.setEncoding('latin1').on('data', (text) => {
    response += text
  })
  // Behind a response that closes the connection, what is still sent leads to a reset: the response counts.
  socket.on('error', (error) => {
    fault = error.code
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const drained = () => new Promise((resolve) => socket.once('drain', resolve))
  for await (const part of parts) {
    if (socket.destroyed) break
    if (!socket.write(part)) await Promise.race([drained(), closed])
  }
  await closed
  const [, status, text = ''] = /^HTTP\/1\.1 (\d{3}) .*?(?:\r\n\r\n(.*))?$/s.exec(response) ?? []
  return { outcome: status === undefined ? fault : Number(status), text }
}
