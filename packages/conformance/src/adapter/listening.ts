import type { Server } from 'node:http'
import type { RunningAdapter } from './adapter.ts'

/** Lets a server listen on a free port of 127.0.0.1; closing it also ends the connections that are open. */
export async function listening(server: Server): Promise<RunningAdapter> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new TypeError('The server has no port.')
  return {
    port: address.port,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
