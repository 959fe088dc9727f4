import { createServer } from 'node:http'
import { describeAdapter, listening } from '@webhook-receiver/conformance'
import { webhookListener } from '@webhook-receiver/node'
import { beforeAll, vi } from 'vitest'

// The handler that fails on purpose is printed on standard error.
beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue())

describeAdapter('node:http', ({ secret, now, path, onDelivery }) =>
  listening(createServer(webhookListener(secret, onDelivery, { path, now, onRejected: false }))),
)
