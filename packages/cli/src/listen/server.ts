import { createServer, type RequestListener } from 'node:http'
import { Failure, messageOf } from '../failure.ts'

export interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

/** Listens; 0 takes a port that is free. */
export function serve(
  listener: RequestListener,
  host: string,
  port: number,
): Promise<RunningServer> {
  const server = createServer(listener)
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new Failure(
          `Cannot listen on port ${port} of ${host}: ${messageOf(error)}. Use another --port, or 0 for a free one.`,
        ),
      )
    })
    server.listen(port, host, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      resolve({
        url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          }),
      })
    })
  })
}
