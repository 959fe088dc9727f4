import { once } from 'node:events'
import { createServer } from 'node:net'

/** So many ports that are free, each another one. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
