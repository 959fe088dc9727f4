import { createServer } from 'node:http'
import { describeAdapter, listening } from '@webhook-receiver/conformance'
import { webhookHandler } from '@webhook-receiver/node'
import { describeHttp2, describeOptions, describeSchemes } from '@webhook-receiver/suites'
import { beforeEach, vi } from 'vitest'

// The handler that fails on purpose is printed on standard error.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

describeAdapter('node:http', ({ secret, now, path, onDelivery }) =>
  listening(createServer(webhookHandler(secret, onDelivery, { path, now, onRejected: false }))),
)

for (const describeEach of [describeSchemes, describeOptions]) {
  describeEach('node:http', 'handler', ({ secret, now, path, work, options }) => {
    const given = { path, now, onRejected: false, ...options } as const
    return listening(createServer(webhookHandler(secret, { any: work }, given)))
  })
}

describeHttp2('node', (...args) => webhookHandler(...args), [
  ['another path', 404, { path: '/elsewhere' }, {}, '{'],
])
