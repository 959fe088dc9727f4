import { createServer, type Socket } from 'node:net'

/** A TCP server that does what a test says, and is closed at the end of the block that uses it. */
export async function scripted(script: (socket: Socket) => void): Promise<{
  readonly port: number
  close(): Promise<void>
}> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    script(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
