import { describeTesting } from '@webhook-receiver/suites'
import { expect, test, vi } from 'vitest'
import { webhookHandler } from '../../src/index.ts'
import { deliverTo } from '../../src/testing/index.ts'

const secret = 'whsec_requests'
const RUNTIMES = {
  'a function, such as a route of Next.js': <Handler>(handler: Handler) => handler,
  'an object with `fetch`, such as a Worker': <Handler>(fetch: Handler) => ({ fetch }),
}

describeTesting({
  secret,
  deliverTo,
  create(work, seen) {
    const handler = webhookHandler(secret, work, { onRejected: false })
    return async (request: Request) => {
      const { pathname, search } = new URL(request.url)
      const response = await handler(request)
      const headers = new Headers(response.headers)
      const own = seen(request.headers.get('x-tenant'), `${pathname}${search}`)
      for (const [name, values] of Object.entries(own)) {
        for (const value of [values].flat()) headers.append(name, value)
      }
      return new Response(response.body, { status: response.status, headers })
    }
  },
})

test.each(Object.entries(RUNTIMES))('%s gets the bindings, whose secret signs', async (_, as) => {
  vi.stubEnv('WEBHOOK_SECRET', 'whsec_other')
  const ended = vi.fn()
  const handler = webhookHandler(
    (_request: Request, env: { WEBHOOK_SECRET: string }, _execution: object) => env.WEBHOOK_SECRET,
    (_delivery, { args: [env, execution] }) => {
      expect(env).toEqual({ WEBHOOK_SECRET: secret, SHOP: 's1' })
      Object(execution).waitUntil(new Promise<void>((resolve) => setTimeout(resolve)).then(ended))
    },
  )
  const env = { WEBHOOK_SECRET: secret, SHOP: 's1' }
  const response = await deliverTo(as(handler), 'message.received', {}, { env })
  expect([response.status, ended.mock.calls.length]).toEqual([204, 1])
})
