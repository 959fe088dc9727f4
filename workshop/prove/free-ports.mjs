import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * So many ports that are free, each another one. They are below the range from which systems choose ports for
 * other programs, and for clients: while nobody listens, a client that has the very port it calls would reach itself.
 * Whoever takes many has a range apart, or would take one that another process has drawn and does not listen at yet.
 */
export async function freePorts(count) {
  const range = count < 10 ? [20_000, 32_768] : [10_000, 20_000]
  const ports = new Set()
  while (ports.size < count) {
    const port = randomInt(...range)
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
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error
    return false
  }
}
