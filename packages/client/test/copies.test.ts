import { expect, test, vi } from 'vitest'
import * as one from '../src/index.ts'

test('an error of another copy of the client is a WebhookApiError', async () => {
  vi.resetModules()
  const other = await import('../src/index.ts')
  const error = new one.WebhookApiError('timeout', 'too late')
  expect(other.WebhookApiError).not.toBe(one.WebhookApiError)
  expect(error instanceof other.WebhookApiError).toBe(true)
  expect(new Error('too late') instanceof other.WebhookApiError).toBe(false)
})
