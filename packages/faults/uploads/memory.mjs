import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'

const MEBIBYTE = 1024 * 1024

/** How much of an upload one write carries, in bytes. */
const PIECE = Buffer.alloc(64 * 1024, 'x')

/** Resolves to what `send` added to the peak of an application's resident memory, in MiB. */
export async function growth({ child: { pid } }, send) {
  // Linux forgets the peak so far when it is told to.
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  const before = await resident(pid, 'VmRSS')
  await send()
  return (await resident(pid, 'VmHWM')) - before
}

async function resident(pid, field) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kibibytes = Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1])
  return (kibibytes * 1024) / MEBIBYTE
}

/** Uploads `size` bytes without a signature, as much of them as the server takes. Resolves when the connection is closed. */
export function upload(port, size) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).once('close', resolve)
    socket.write(`POST /webhooks HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n`)
    let left = size
    const more = () => {
      while (left > 0 && !socket.destroyed) {
        left -= PIECE.length
        if (!socket.write(PIECE)) {
          socket.once('drain', more)
          return
        }
      }
      socket.end()
    }
    more()
    socket.resume()
  })
}
