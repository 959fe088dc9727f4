import { createServer } from 'node:net'

/** Takes a free port and keeps it until it is released, so that nobody else is given it meanwhile. */
export async function holdPort() {
  const server = createServer()
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, resolve))
  return {
    port: server.address().port,
    release: () => new Promise((resolve) => server.close(resolve)),
  }
}
