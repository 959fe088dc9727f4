import { createServer, type RequestListener } from 'node:http'

export interface RunningServer {
  readonly baseUrl: string
  /** Resolves when the port is free and every connection is closed. */
  close(): Promise<void>
}

/**
 * Listens on a port.
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
    server.once('error', (cause) => {
      const advice = 'Is it in use? Use another `port`, or 0 for a free one.'
      reject(
        new Error(`The emulator cannot listen on port ${port} of ${host}. ${advice}`, { cause }),
      )
    })
    server.listen(port, host, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      resolve({
        baseUrl: `http://${reachable(host)}:${bound}`,
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
