// The server of one subject: server.mjs FRAMEWORK NAME SECRET. Replies to each message with its usage so far.
import { createServer } from 'node:http'
import { listenerOf } from './listener.mjs'

const [framework, name, secret] = process.argv.slice(2)

let taken = 0

const listener = await listenerOf(framework, name, secret, () => {
  taken++
})
const server = createServer(listener)
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpu: user + system, taken })
})
// A clean end, so that --cpu-prof writes its file.
process.on('disconnect', () => process.exit())
