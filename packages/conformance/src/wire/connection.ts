import { connect, isIP, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectSocket, rootCertificates } from 'node:tls'
import { type Response, readResponse } from './response.ts'

/**
 * What a client saw: a response, `closed` (the connection ended with no response), `cut` (it ended
 * inside one), `garbage` (what came is not HTTP) or `timeout`.
 */
export type Reply = Response | 'closed' | 'cut' | 'garbage' | 'timeout'

/** Where a receiver listens. */
export interface Address {
  readonly port: number
  /** @default '127.0.0.1' */
  readonly host?: string | undefined
  /** Speak TLS, and trust the certificates in `ca` as well as those that Node trusts. */
  readonly tls?: { readonly ca?: readonly string[] | undefined } | undefined
}

/** One TCP connection: it sends bytes exactly as given and reads the responses in order. */
export class Connection {
  readonly #socket: Socket
  #received: Buffer[] = []
  #ended = false
  #wake: () => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (bytes) => this.#change(() => this.#received.push(bytes)))
    socket.on('end', () => this.#change(() => this.#end()))
    socket.on('close', () => this.#change(() => this.#end()))
    // A reset is an outcome, seen as `closed`; without a listener it would be an uncaught error.
    socket.on('error', () => {})
  }

  /** Rejects where nothing listens, or the certificate is not trusted. */
  static open(address: number | Address): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const {
        port,
        host = '127.0.0.1',
        tls,
      } = typeof address === 'number' ? { port: address } : address
      // Half-open, so that the server's end does not end our side before we have read it all.
      const options = { port, host, allowHalfOpen: true }
      const socket = tls === undefined ? connect(options) : connectTls(options, tls.ca)
      socket.once('error', reject)
      socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
        socket.off('error', reject)
        resolve(new Connection(socket))
      })
    })
  }

  /** Resolves when the bytes are with the kernel, or will never be. */
  write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0 || this.#socket.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      this.#socket.once('close', resolve)
      this.#socket.write(bytes, () => {
        this.#socket.off('close', resolve)
        resolve()
      })
    })
  }

  /** Writes everything before it reads anything, as many clients do. */
  async writeUnread(bytes: Buffer): Promise<void> {
    this.#socket.pause()
    await this.write(bytes)
    this.#socket.resume()
  }

  async writePieces(bytes: Buffer, size: number, gap: number): Promise<void> {
    for (let start = 0; start < bytes.length && !this.#socket.destroyed; start += size) {
      await this.write(bytes.subarray(start, start + size))
      await (gap > 0 ? delay(gap) : new Promise(setImmediate))
    }
  }

  /** The next response, interim ones included. */
  async reply(method: string, deadline: number): Promise<Reply> {
    for (;;) {
      const bytes = Buffer.concat(this.#received)
      const reading = readResponse(bytes, this.#ended, method)
      if (reading.kind === 'malformed') return 'garbage'
      if (reading.kind === 'response') {
        this.#received = [reading.rest]
        return reading.response
      }
      if (this.#ended) return reading.started ? 'cut' : 'closed'
      if (!(await this.#changed(deadline - performance.now()))) return 'timeout'
    }
  }

  /** The next response that is not an interim one. */
  async finalReply(method: string, deadline: number): Promise<Reply> {
    for (;;) {
      const reply = await this.reply(method, deadline)
      if (typeof reply === 'string' || reply.status >= 200) return reply
    }
  }

  halfClose(): void {
    this.#socket.end()
  }

  close(): void {
    this.#socket.destroy()
  }

  reset(): void {
    this.#socket.resetAndDestroy()
  }

  #change(apply: () => void): void {
    apply()
    this.#wake()
  }

  #end(): void {
    this.#ended = true
  }

  #changed(within: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), Math.max(0, within))
      this.#wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }
}

function connectTls(
  options: { readonly port: number; readonly host: string; readonly allowHalfOpen: boolean },
  ca: readonly string[] | undefined,
): Socket {
  // The server name of TLS is a name and never an IP address (RFC 6066, section 3).
  const name = isIP(options.host) === 0 ? { servername: options.host } : {}
  // A list replaces what Node trusts by default.
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ...ca] }
  return connectSocket({ ...options, ...name, ...trusted })
}
