import { webhookHandler } from '@webhook-receiver/aws-lambda'
import { deliverTo, eventListener } from '@webhook-receiver/aws-lambda/testing'
import { describeTesting, serving } from '@webhook-receiver/suites'
import { expect, test, vi } from 'vitest'
import type { LambdaEvent } from '../src/event.ts'
import type { LambdaFunction } from '../src/event-listener.ts'

async function post(handler: LambdaFunction, body: Uint8Array<ArrayBuffer>) {
  const origin = await serving(eventListener(handler))
  return fetch(`${origin}/webhooks?a=1`, { method: 'POST', body })
}

test.each([
  ['rejects', () => Promise.reject(Object.assign(new Error('no response'), { config: 'MARK' }))],
  ['resolves to nothing', async () => null],
  ['resolves to a response without a status', async () => ({ body: '' })],
])('a function that %s is printed, and the response is 502', async (_what, handler) => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  expect((await post(handler, new Uint8Array())).status).toBe(502)
  expect(print.mock.calls).toEqual([[expect.stringMatching(/The function failed.* \w*Error: /)]])
  expect(String(print.mock.calls)).not.toContain('MARK')
})

test('a request of 10 MiB arrives whole, and a longer one gets 413 without a call', async () => {
  const most = 10 * 1024 * 1024
  const handler = vi.fn(async ({ body }: LambdaEvent) => ({ statusCode: 200, body }))
  const response = await post(handler, new Uint8Array(most))
  expect((await response.arrayBuffer()).byteLength).toBe(most)
  expect((await post(handler, new Uint8Array(most + 1))).status).toBe(413)
  expect(handler).toHaveBeenCalledTimes(1)
})

test('a response in base64 is decoded, and has the headers of each form', async () => {
  const response = await post(
    async () => ({
      statusCode: 200,
      headers: { 'X-One': '1' },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: '/w==',
      isBase64Encoded: true,
    }),
    new Uint8Array(),
  )
  expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([255])
  expect(response.headers.get('x-one')).toBe('1')
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

const secret = 'whsec_lambda'

describeTesting({
  secret,
  deliverTo,
  create(work, seen) {
    const handler = webhookHandler(secret, work, { onRejected: false })
    return async (event: LambdaEvent) => {
      const { 'Set-Cookie': cookies, ...others } = seen(
        event.headers?.['x-tenant'],
        `${event.rawPath}?${event.rawQueryString}`,
      )
      const result = await handler(event)
      const headers = { ...result.headers, ...others }
      return { ...result, headers, multiValueHeaders: { 'Set-Cookie': cookies } }
    }
  },
})
