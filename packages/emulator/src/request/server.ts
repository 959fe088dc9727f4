import { createServer, type RequestListener } from 'node:http'
import { connect } from 'node:net'

export interface RunningServer {
  /** The origin, such as `http://127.0.0.1:4000`. */
  readonly url: string
  /** Resolves when the port is free and every connection is closed. */
  close(): Promise<void>
}

/**
 * Serves HTTP on a port; 0 takes a free one.
 *
 * @throws Error that says what to do if the port cannot be used.
 */
export function listen(
  listener: RequestListener,
  host: string,
  port: number,
): Promise<RunningServer> {
  const server = createServer(listener)
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const what =
        cause.code === 'EADDRINUSE'
          ? `Port ${port} of ${host} is in use.`
          : `Port ${port} of ${host} cannot be used: ${cause.message}.`
      reject(new Error(`${what} Use another \`port\`, or 0 for a free one.`, { cause }))
    })
    server.listen(port, host, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      resolve({
        url: `http://${reachable(host)}:${bound}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          }),
      })
    })
  })
}

/** The host as it is written in a URL; for all addresses of this machine, its own name. */
export function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Whether anything listens at the address of a URL. */
export function listens({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      timeout: 2000,
    })
    const settle = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => settle(true))
    socket.once('timeout', () => settle(false))
    socket.once('error', () => settle(false))
  })
}
