import { createServer } from 'node:net'
import type { SentRequest } from '@webhook-receiver/emulator/internal'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Exchange } from '../src/deliveries/report.ts'
import { receiveRaw } from './raw-receiver.ts'
import { emulate, secretFor } from './running-emulator.ts'

/** A server that keeps the bytes of each request and responds with 202. */
async function rawServer(): Promise<{ readonly url: string; readonly heads: string[] }> {
  const heads: string[] = []
  const server = createServer((socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      heads.push(text.slice(0, end))
      socket.end('HTTP/1.1 202 Accepted\r\nX-One: 1\r\nx-two: 2\r\nContent-Length: 0\r\n\r\n')
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}/hooks`, heads }
}

it('reports a request with the headers of the wire, and its response with the same request', async () => {
  const { url, heads } = await rawServer()
  const secrets: string[] = []
  const emulator = await emulate({
    retries: [],
    onRegistered: ({ secret }) => secrets.push(secret),
  })
  const requests: SentRequest[] = []
  const exchanges: Exchange[] = []
  emulator.on('request', (request) => requests.push(request))
  emulator.on('attempt', (_attempt, _report, exchange) => exchanges.push(exchange))
  const { secret } = emulator.register({ url, events: ['message.read'] })
  await emulator.emit('message.read')
  const lines = heads[0]?.split('\r\n').slice(1)
  expect(requests[0]?.headers.map(([name, value]) => `${name}: ${value}`)).toEqual(lines)
  expect(exchanges[0]?.request).toBe(requests[0])
  expect(exchanges[0]?.response.headers).toEqual([
    ['X-One', '1'],
    ['x-two', '2'],
    ['Content-Length', '0'],
  ])
  expect(secrets).toEqual([secret])
})

it('goes on where onRegistered or a listener throws, and prints both', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { url } = await receiveRaw()
  const fail = () => {
    throw new Error('on purpose')
  }
  const emulator = await emulate({ onRegistered: fail })
  emulator.on('delivery', fail)
  secretFor(emulator, url)
  expect(await emulator.emit('message.read')).toMatchObject([{ outcome: 'delivered' }])
  expect(error).toHaveBeenCalledTimes(2)
  error.mockRestore()
})

it('keeps the beginning of a long response only', async () => {
  const { url } = await receiveRaw(() => ({ status: 200, body: 'x'.repeat(5000) }))
  const emulator = await emulate()
  const bodies: (string | undefined)[] = []
  emulator.on('attempt', (_attempt, _report, { response }) => void bodies.push(response.body))
  secretFor(emulator, url)
  await emulator.emit('message.read')
  expect(bodies).toEqual(['x'.repeat(4096)])
})
