import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a server that can be cut off and restored, while the server itself runs on. */
export class Gate {
  /** Whether the answer to a COMMIT is lost, with its connection. */
  losesCommit = false
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  constructor(target: string) {
    this.#target = new URL(target)
  }

  /** The address of the server by way of this. */
  get url(): string {
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String(this.#port)
    return url.href
  }

  /** Opens the way, always at the same port. */
  async open(): Promise<this> {
    this.#server = createServer((near) => this.#join(near)).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
    return this
  }

  /** Cuts every connection, and lets none in. */
  async cut(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close')
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
    await closed
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#target.port || 5432), this.#target.hostname)
    near.on('data', (data) => far.write(data))
    far.on('data', (data) => {
      const committed = data.toString('latin1').includes('COMMIT\0')
      if (this.losesCommit && committed) near.destroy()
      else near.write(data)
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => {}).on('close', () => other.destroy())
    }
  }
}
