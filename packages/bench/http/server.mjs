// The server of one subject: server.mjs FRAMEWORK NAME SECRET. Answers each message with its usage so far.
import { createServer } from 'node:http'

const [framework, name, secret] = process.argv.slice(2)
const { servers } = await import(`./servers/${framework}.mjs`)

let taken = 0

/** What stands for the application. */
function take(delivery) {
  if (delivery?.event !== 'message.received') throw new Error('not the delivery that was sent')
  taken++
}

const server = createServer(await servers[name](secret, take))
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpu: user + system, taken })
})
// A clean end, so that --cpu-prof writes its file.
process.on('disconnect', () => process.exit())
