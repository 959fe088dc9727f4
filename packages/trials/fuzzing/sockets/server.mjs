// A process with one application. It sends its port to its parent, which asks for its memory.
import { applications } from '../../applications.mjs'

const [adapter, secret, clock] = process.argv.slice(2)

const options = clock ? { now: () => Number(clock) } : {}
const server = await applications[adapter](secret, options)
// As on Fastify. By Node's default of 5 s a connection is closed while a busy client is about to use it again.
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))

process.on('message', ({ measure, ping }) => {
  if (ping) return process.send({ pong: ping })
  globalThis.gc()
  const { heapUsed, rss } = process.memoryUsage()
  process.send({ measured: measure, heap: heapUsed, rss })
})
process.once('disconnect', () => process.exit())
