// A worker that holds unsigned uploads open, each but for its last byte, and begins another a second after a response.
import { connect } from 'node:net'
import { workerData } from 'node:worker_threads'
import { requestHead } from '@webhook-receiver/checks/wire.mjs'

const { port, count, size } = workerData
const PIECE = Buffer.alloc(65_536, 'x')

for (let index = 0; index < count; index++) hold()

function hold() {
  const socket = connect(port, '127.0.0.1')
  let left = size - 1
  const write = () => {
    while (left > 0 && socket.writable) {
      const piece = PIECE.subarray(0, left)
      left -= piece.length
      if (!socket.write(piece)) return
    }
  }
  socket.on('connect', () => {
    const head = {
      'Content-Length': String(size),
      Connection: 'keep-alive',
      'X-Webhook-Timestamp': String(Math.floor(Date.now() / 1000)),
      'X-Webhook-Signature': `sha256=${'0'.repeat(64)}`,
    }
    socket.write(requestHead(head))
    write()
  })
  socket.on('drain', write)
  socket.on('data', () => socket.destroy())
  // The response counts, not how the connection ends.
  socket.on('error', () => {})
  socket.on('close', () => setTimeout(hold, 1000))
}
