import { once } from 'node:events'
import { connect, createServer } from 'node:net'

const PORTS = { 'redis:': 6379, 'postgres:': 5432, 'postgresql:': 5432 }

/** Stands between clients and a server. Its connections can be cut, and its replies be seen, while the server runs on. */
export class TcpProxy {
  /**
   * Called with the bytes of each reply and the number of its connection. False cuts the connection instead.
   *
   * @type {(bytes: Buffer, connection: number) => boolean}
   */
  onReply = (_bytes, _connection) => true
  port = 0
  #target
  #server
  #connections = 0
  #sockets = new Set()

  /** @param {string} target */
  constructor(target) {
    this.#target = new URL(target)
  }

  /** The URL of the server by way of this proxy. */
  get url() {
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String(this.port)
    return url.href
  }

  /** Accepts connections, always at the same port. */
  async open() {
    const options = { allowHalfOpen: true }
    this.#server = createServer(options, (client) => this.#join(client)).listen(
      this.port,
      '127.0.0.1',
    )
    await once(this.#server, 'listening')
    this.port = this.#server.address().port
    return this
  }

  /** Cuts every connection, and accepts no other. */
  async cut() {
    if (!this.#server) return
    const closed = once(this.#server.close(), 'close')
    this.#server = undefined
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #join(client) {
    const connection = this.#connections++
    const { hostname, port, protocol } = this.#target
    const server = connect({
      host: hostname,
      port: Number(port || PORTS[protocol]),
      allowHalfOpen: true,
    })
    server.on('data', (bytes) => {
      if (this.onReply(bytes, connection) === false) client.destroy()
    })
    client.pipe(server)
    server.pipe(client)
    this.#closeTogether(client, server)
    this.#closeTogether(server, client)
  }

  #closeTogether(socket, other) {
    this.#sockets.add(socket)
    // A reset is passed on as a reset.
    socket.on('error', () => other.resetAndDestroy())
    socket.on('close', () => {
      this.#sockets.delete(socket)
      other.destroySoon()
    })
  }
}
