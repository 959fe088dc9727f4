// A server of one contender, in a process of its own: server.mjs <file of the contender> <secret>
import { createServer } from 'node:http'

const [file, secret] = process.argv.slice(2)
const { default: contender } = await import(file)

let taken = 0

/** What stands for the application: it looks at what it was handed. */
function take(delivery) {
  if (delivery?.event !== 'message.received') throw new Error('not the delivery that was sent')
  taken++
}

const server = createServer(await contender(secret, take))
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpu: user + system, taken })
})
// A clean end, so that --cpu-prof writes its file.
process.on('disconnect', () => process.exit())
