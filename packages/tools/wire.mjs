import { connect } from 'node:net'

/** How long \`send\` waits while nothing comes, in milliseconds. */
const ANSWER_TIME = 5000

/** The head of a request, as text. The server closes the connection behind its answer. */
export function requestHead(headers = {}, method = 'POST', path = '/webhooks') {
  const all = { Host: 'localhost', Connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/**
 * Sends bytes on a connection of their own, as fast as the server takes them. Resolves to the status of the answer
 * when the connection is closed, or to what happened instead.
 */
export async function exchange(port, parts, { timeout = 0 } = {}) {
  const socket = connect(port, '127.0.0.1').setTimeout(timeout, () => socket.destroy())
  let answer = ''
  let fault = 'no answer'
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text
  })
  // Behind an answer that closes the connection, what is still sent is answered by a reset: the answer counts.
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
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]
  return status === undefined ? fault : Number(status)
}

/** Posts a request on a connection of its own. Resolves to the outcome, and to how long it took. */
export async function send(port, { headers, body }) {
  const started = performance.now()
  const head = requestHead({ ...headers, 'Content-Length': body.length })
  const outcome = await exchange(port, [head, body], { timeout: ANSWER_TIME })
  return { outcome, milliseconds: performance.now() - started }
}
