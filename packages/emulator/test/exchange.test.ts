import type { SentRequest } from '@webhook-receiver/emulator/internal'
import { expect, it, vi } from 'vitest'
import type { Exchange } from '../src/deliveries/report.ts'
import { emulating } from './running-emulator.ts'

it('reports a request with the headers of the wire, and with it the beginning of its response', async () => {
  const secrets: string[] = []
  const headers = ['X-One', '1', 'x-two', '2']
  const { receiver, emulator, secret } = await emulating(
    { onRegistered: ({ secret }) => secrets.push(secret) },
    () => ({ status: 202, headers, body: 'x'.repeat(5000) }),
  )
  const requests: SentRequest[] = []
  const exchanges: Exchange[] = []
  emulator.on('request', (request) => requests.push(request))
  emulator.on('attempt', (_attempt, _report, exchange) => exchanges.push(exchange))
  await emulator.emit('message.read')
  expect(requests[0]?.headers.flat()).toEqual(receiver.arrivals[0]?.rawHeaders)
  expect(exchanges[0]?.request).toBe(requests[0])
  const { response } = exchanges[0] as Exchange
  expect(response.headers.flat().slice(0, 4)).toEqual(headers)
  expect(response.body).toBe('x'.repeat(4096))
  expect(secrets).toEqual([secret])
})

it('goes on where onRegistered or a listener throws, and prints both', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const fail = () => {
    throw new Error('on purpose')
  }
  const { emulator } = await emulating({ onRegistered: fail })
  emulator.on('delivery', fail)
  expect(await emulator.emit('message.read')).toMatchObject([{ outcome: 'delivered' }])
  expect(error).toHaveBeenCalledTimes(2)
})
