import { createHmac, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startApplication } from '@webhook-receiver/tools/application.mjs'

/** A body within the limit of 1 MiB that comes one byte at a time. */
export const CHUNKS = 1_040_000

/** What can receive it: each adapter, `receiveRequest` over a server and over a stream alone, the command line. */
export const RECEIVERS = [
  'express',
  'fastify',
  'hono',
  'koa',
  'node',
  'request',
  'stream',
  'listen',
]

/** How many chunks one write carries. */
const PIECE = 10_000

/** Starts a receiver in a process of its own. */
export function startReceiver(kind, secret, flags = []) {
  const [file, ...args] =
    kind === 'listen'
      ? ['../../cli/bin/webhook-receiver.js', 'listen', '--port', '0']
      : ['./receiver.mjs', kind]
  const program = fileURLToPath(new URL(file, import.meta.url))
  return startApplication(kind, [...flags, program, ...args], process.cwd(), secret)
}

/** Sends the chunks with a signature of the right form, and resolves to the status, or to what went wrong. */
export function sendChunks({ name, port }, chunks = CHUNKS) {
  if (name === 'stream') return exchange(port, forged('X-Chunks', String(chunks)))
  const piece = Buffer.from('1\r\nx\r\n'.repeat(PIECE))
  return exchange(port, forged('Transfer-Encoding', 'chunked'), (socket) => {
    let left = chunks
    const more = () => {
      while (left > 0 && !socket.destroyed) {
        const count = Math.min(left, PIECE)
        left -= count
        if (!socket.write(piece.subarray(0, count * 6))) return socket.once('drain', more)
      }
      socket.write('0\r\n\r\n')
    }
    more()
  })
}

/** Sends one genuine delivery, and resolves to the status, or to what went wrong. */
export function sendGenuine(port, secret) {
  const at = new Date().toISOString()
  const event = 'message.received'
  const data = { instance_id: 'inst_01', event, data: {}, timestamp: at }
  const body = JSON.stringify({ id: randomUUID(), event, created_at: at, data })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  const headers = head(timestamp, signature, 'Content-Length', String(body.length))
  return exchange(port, headers, (socket) => socket.write(body))
}

function forged(name, value) {
  return head(String(Math.floor(Date.now() / 1000)), '0'.repeat(64), name, value)
}

function head(timestamp, signature, name, value) {
  return [
    'POST /webhooks HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    'Content-Type: application/json',
    `X-Webhook-Timestamp: ${timestamp}`,
    `X-Webhook-Signature: sha256=${signature}`,
    `${name}: ${value}`,
    '',
    '',
  ].join('\r\n')
}

function exchange(port, headers, send = () => {}) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    let fault = 'no answer'
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text
    })
    socket.on('error', (error) => {
      fault = error.code
    })
    socket.once('close', () => {
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]
      resolve(status === undefined ? fault : Number(status))
    })
    socket.write(headers)
    send(socket)
  })
}
