import { expect, test, vi } from 'vitest'
import { withoutOrigin } from '../../src/adapter.ts'
import { createReceiver } from '../../src/index.ts'
import { current, NOW } from '../deliveries.ts'
import { request } from './streams.ts'

test.each([
  ['https://example.com/hook?a=1', '/hook?a=1'],
  ['http://[::1]:3000/hook', '/hook'],
  ['HTTP://user@example.com?a=1', '?a=1'],
  ['http://example.com/hook?n=a://e?shop=7', '/hook?n=a://e?shop=7'],
  ['/hook?shop=8&n=a://e?shop=7', '/hook?shop=8&n=a://e?shop=7'],
  ['*', '*'],
])('the target of %j is %j', (url, target) => {
  expect(withoutOrigin(url)).toBe(target)
})

test('a Request whose URL has no host, as on Bun with an empty Host, is known by its whole target', async () => {
  const onAccepted = vi.fn()
  const receiver = createReceiver(current.secret, { now: () => NOW, onAccepted })
  const url = '/hook?shop=8&n=a://e?shop=7'
  const relative = new Proxy(request('message.received'), {
    get: (target, name) => (name === 'url' ? url : Reflect.get(target, name, target)),
  })
  await receiver.receiveRequest(relative)
  expect(onAccepted.mock.calls).toMatchObject([[{ remote: { url } }]])
})
