import { createServer } from 'node:http'
import { Duplex } from 'node:stream'

/**
 * Serves requests without sockets: an HTTP server takes any Duplex as a connection. Resolves when `requests` copies of
 * `bytes` were sent on one connection, one after the other, and each was answered 2xx.
 *
 * @param {import('node:http').RequestListener} listener
 */
export function serveInProcess(listener, bytes, requests) {
  return new Promise((resolve, reject) => {
    let left = requests
    const connection = new Duplex({
      read() {},
      write(answer, _encoding, done) {
        done()
        if (!/^HTTP\/1\.1 20[04] /.test(answer.latin1Slice(0, 13))) reject(new Error(answer))
        else if (--left > 0) setImmediate(send)
        else {
          connection.push(null)
          resolve()
        }
      },
    })
    const send = () => connection.push(Buffer.from(bytes))
    createServer(listener).emit('connection', connection)
    send()
  })
}
