import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { webhookHandler } from '@webhook-receiver/node'
import { deliverTo, toResponse } from '@webhook-receiver/node/testing'
import { describeTesting } from '@webhook-receiver/suites'
import { describe, expect, test } from 'vitest'

const secret = 'whsec_node'

describeTesting<RequestListener>({
  secret,
  deliverTo,
  create(work, seen) {
    const handler = webhookHandler(secret, work, { onRejected: false })
    return (req, res) => {
      const headers = seen(req.headers['x-tenant'], req.url ?? '')
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      return handler(req, res)
    }
  },
})

test('a header that is not set is left out', () => {
  const { headers } = toResponse(200, { 'x-none': undefined, 'x-one': 1 }, Buffer.from(''))
  expect([...headers]).toEqual([['x-one', '1']])
})

test.each(['http://localhost:3000', {}])(
  'an application that is %j is a TypeError',
  async (none) => {
    const delivered = Reflect.apply(deliverTo, undefined, [none, 'message.sent', {}, { secret }])
    await expect(delivered).rejects.toThrow(TypeError)
    await expect(delivered).rejects.toThrow(/should be a function of a request and a response/)
  },
)

describe.each<[does: string, listener: RequestListener, fault: RegExp | undefined]>([
  ['responds', (_req, res) => res.end('done'), undefined],
  ['closes the connection', (req) => req.destroy(), /socket hang up|ECONNRESET/],
  [
    'breaks off its response',
    (_req, res) => res.writeHead(200, { 'Content-Length': 10 }).write('half', () => res.destroy()),
    /aborted|ECONNRESET/,
  ],
])('an application that %s', (_does, listener, fault) => {
  test('is reached from this machine only, and leaves neither a server nor a connection behind', async () => {
    const seen: { socket: Socket; address: unknown; port: number | undefined }[] = []
    const watched: RequestListener = (req, res) => {
      const { socket } = req
      seen.push({ socket, address: socket.localAddress, port: socket.localPort })
      listener(req, res)
    }
    const delivered = deliverTo(watched, 'message.sent', {}, { secret })
    if (fault) await expect(delivered).rejects.toThrow(fault)
    else expect(await (await delivered).text()).toBe('done')
    const [{ socket, address, port = 0 } = {}] = seen
    expect([seen.length, socket?.destroyed, address]).toEqual([1, true, '127.0.0.1'])
    await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
  })
})
