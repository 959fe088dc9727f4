// Run by lifetime.test.ts: a process that has to end by itself behind stop().
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEmulator } from '../src/index.ts'

const receiver = createServer((req, res) => {
  // One kind of request gets a response, so that a retry is waiting when the emulator stops.
  if (req.url === '/failing') req.resume().on('end', () => res.writeHead(500).end())
})
await once(receiver.listen(0, '127.0.0.1').unref(), 'listening')
const { port } = receiver.address() as AddressInfo

const emulator = createEmulator({ apiKey: 'k', faultDelay: 3600, retries: [3600], timeout: 3600 })
await emulator.start()
emulator.register({ url: `http://127.0.0.1:${port}/silent`, events: ['message.sent'] })
emulator.register({ url: `http://127.0.0.1:${port}/failing`, events: ['message.read'] })
// A connection that a client keeps open.
await fetch(emulator.baseUrl).then((response) => response.text())
const emissions = [
  emulator.emit('message.sent'),
  emulator.emit('message.sent', {}, { fault: 'reorder' }),
  emulator.emit('message.sent', {}, { fault: 'slow-body' }),
  emulator.emit('message.read'),
]
await new Promise((resolve) => {
  const silence = emulator.on('attempt', () => {
    silence()
    setTimeout(resolve, 50)
  })
})
await emulator.stop()
const outcomes = (await Promise.all(emissions)).flat().map(({ outcome }) => outcome)
receiver.closeAllConnections()
await new Promise((resolve) => setImmediate(resolve))
const left = process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
receiver.close()
console.log(`${outcomes.join(', ')}; left: ${left}`)
