import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** So many ports that are free, each another one. They are below those that systems give to others, so nobody takes one in the meantime. */
export async function freePorts(count) {
  const ports = new Set()
  while (ports.size < count) {
    const port = randomInt(20_000, 32_768)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

async function isFree(port) {
  const server = createServer().listen(port)
  try {
    await once(server, 'listening')
    await once(server.close(), 'close')
    return true
  } catch {
    return false
  }
}
