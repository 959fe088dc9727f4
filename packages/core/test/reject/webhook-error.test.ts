import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { type Reason, WebhookError } from '../../src/index.ts'
import { REASONS } from '../../src/internal.ts'

const reasons = Object.keys(REASONS) as Reason[]

const statusFacts: Readonly<Record<number, readonly [code: string, expose: boolean]>> = {
  400: ['invalid_delivery', true],
  401: ['not_authenticated', true],
  403: ['check_rejected', true],
  405: ['method_not_allowed', true],
  408: ['body_too_slow', true],
  410: ['subscription_ended', true],
  413: ['body_too_large', true],
  415: ['encoding_not_supported', true],
  422: ['content_not_accepted', true],
  500: ['receiver_error', false],
  503: ['receiver_unavailable', false],
}

test.each(reasons)('%s gets the code and message of its status alone', (reason) => {
  const error = new WebhookError(reason, 'DETAIL')
  const [code, expose] = statusFacts[error.status] ?? []
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ name: 'WebhookError', reason, code, expose, detail: 'DETAIL' })
  expect(error.statusCode).toBe(error.status)
  expect(error.status).toBe(REASONS[reason].status)
  expect(error.message).toBe(code?.replaceAll('_', ' '))
  expect(JSON.stringify(error)).toBe(JSON.stringify({ code, message: error.message }))
})

test('keeps its detail where no serialiser finds it', () => {
  const error = new WebhookError('signature_mismatch', 'DETAIL')
  expect(Object.keys(error)).not.toContain('detail')
  expect({ ...error }).not.toHaveProperty('detail')
  for (const text of [JSON.stringify(error), inspect(error), String(error), error.stack]) {
    expect(text).toMatch(/not[ _]authenticated/)
    expect(text).not.toContain('DETAIL')
  }
  expect(() => Object.assign(error, { detail: 'other' })).toThrow(TypeError)
})

test('adds Allow to a 405, Connection to a 408 and Retry-After to a 503, and nothing to others', () => {
  for (const reason of reasons) {
    const { status, headers } = new WebhookError(reason, '')
    const wanted: Readonly<Record<number, object>> = {
      405: { Allow: 'POST' },
      408: { Connection: 'close' },
      503: { 'Retry-After': '10' },
    }
    const own = reason === 'body_budget_full' ? { Connection: 'close' } : {}
    expect(headers).toEqual({ ...wanted[status], ...own })
  }
})

test('takes further headers and a cause', () => {
  const cause = new Error('CAUSE')
  const error = new WebhookError('secret_unavailable', '', { cause, headers: { 'X-A': 'b' } })
  expect(error.headers).toEqual({ 'Retry-After': '10', 'X-A': 'b' })
  expect(error.cause).toBe(cause)
  const other = new WebhookError('secret_unavailable', '', { headers: { 'Retry-After': '60' } })
  expect(other.headers).toEqual({ 'Retry-After': '60' })
  expect('cause' in other).toBe(false)
  expect('cause' in new WebhookError('secret_unavailable', '', { cause: undefined })).toBe(true)
})

test('gives a Response with status, headers and JSON', async () => {
  const error = new WebhookError('method_not_allowed', 'DETAIL', { cause: new Error('CAUSE') })
  // And again.
  for (const response of [error.getResponse(), error.getResponse()]) {
    expect(response.status).toBe(405)
    const headers = { 'content-type': 'application/json', allow: 'POST' }
    expect(Object.fromEntries(response.headers)).toEqual(headers)
    expect(await response.json()).toEqual({ code: error.code, message: error.message })
  }
})
