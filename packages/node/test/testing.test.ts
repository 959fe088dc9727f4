import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { webhookHandler } from '@webhook-receiver/node'
import { deliverTo, toResponse } from '@webhook-receiver/node/testing'
import { describe, expect, test, vi } from 'vitest'

const secret = 'whsec_node'

test('the handler of a listener gets the delivery', async () => {
  const handler = vi.fn()
  const listener = webhookHandler(secret, handler, { path: '/webhooks' })
  const response = await deliverTo(listener, 'message.sent', { text: 'hello' }, { secret })
  expect(response.status).toBe(204)
  expect(handler.mock.calls[0]?.[0]).toMatchObject({ event: 'message.sent', known: true })
})

test('a delivery that is signed with another secret gets 401', async () => {
  const handler = vi.fn()
  const listener = webhookHandler(secret, handler, { onRejected: false })
  const response = await deliverTo(listener, 'message.sent', {}, { secret: 'whsec_other' })
  expect(response.status).toBe(401)
  expect(handler).not.toHaveBeenCalled()
})

test('the response has its status, its body, and each of its headers', async () => {
  const response = await deliverTo(
    (_req, res) => res.writeHead(418, { 'Set-Cookie': ['a=1', 'b=2'], 'X-One': '1' }).end('tea'),
    'message.sent',
    {},
    { secret },
  )
  expect([response.status, await response.text()]).toEqual([418, 'tea'])
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(response.headers.get('x-one')).toBe('1')
})

test('a header that is not set is left out', () => {
  const { headers } = toResponse(200, { 'x-none': undefined, 'x-one': 1 }, Buffer.from(''))
  expect([...headers]).toEqual([['x-one', '1']])
})

test.each(['http://localhost:3000', undefined, {}])(
  'an application that is %j is a TypeError',
  async (none) => {
    const delivered = Reflect.apply(deliverTo, undefined, [none, 'message.sent', {}, { secret }])
    await expect(delivered).rejects.toThrow(TypeError)
    await expect(delivered).rejects.toThrow(/should be a function of a request and a response/)
  },
)

test('the application is reached from this machine only', async () => {
  const addresses: unknown[] = []
  const listener: RequestListener = ({ socket }, res) => {
    addresses.push(socket.localAddress, socket.remoteAddress)
    res.end()
  }
  await deliverTo(listener, 'message.sent', {}, { secret })
  expect(addresses).toEqual(['127.0.0.1', '127.0.0.1'])
})

describe.each<[does: string, listener: RequestListener, fault: RegExp | undefined]>([
  ['responds', (_req, res) => res.end('done'), undefined],
  ['closes the connection', (req) => req.destroy(), /socket hang up|ECONNRESET/],
  [
    'breaks off its response',
    (_req, res) => res.writeHead(200, { 'Content-Length': 10 }).write('half', () => res.destroy()),
    /aborted|ECONNRESET/,
  ],
])('an application that %s', (_does, listener, fault) => {
  test('leaves neither a server nor a connection behind', async () => {
    const seen: { socket: Socket; port: number | undefined }[] = []
    const watched: RequestListener = (req, res) => {
      seen.push({ socket: req.socket, port: req.socket.localPort })
      listener(req, res)
    }
    const delivered = deliverTo(watched, 'message.sent', {}, { secret })
    if (fault) await expect(delivered).rejects.toThrow(fault)
    else expect(await (await delivered).text()).toBe('done')
    const [{ socket, port = 0 } = {}] = seen
    expect([seen.length, socket?.destroyed]).toEqual([1, true])
    await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
  })
})
