import { expect, test, vi } from 'vitest'
import * as one from '../src/index.ts'

test('an error of another copy of the client is a WebhookApiError', async () => {
  vi.resetModules()
  const other = await import('../src/index.ts')
  class Narrow extends one.WebhookApiError {}
  const error = new one.WebhookApiError('timeout', 'too late')
  expect(other.WebhookApiError).not.toBe(one.WebhookApiError)
  expect(error instanceof other.WebhookApiError).toBe(true)
  expect(error instanceof Narrow).toBe(false)
  expect(new Error('too late') instanceof other.WebhookApiError).toBe(false)
})
