import { setTimeout as delay } from 'node:timers/promises'
import { signDelivery, toEvent } from '@webhook-receiver/aws-lambda/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { EVENT_FORMS } from '../src/to-event.ts'
import { type Runtime, startRuntime } from './runtime-api.ts'

/** A folder in which aws-lambda-ric is installed: its installation compiles for minutes. */
const { AWS_LAMBDA_RIC: folder } = process.env

if (folder === undefined) {
  console.warn('Set AWS_LAMBDA_RIC to a folder in which aws-lambda-ric is installed.')
}

async function eventOf(
  name: Parameters<typeof signDelivery>[1],
  form: (typeof EVENT_FORMS)[number] = 'http-api',
  secret = 'whsec_function',
) {
  const { headers, body } = await signDelivery(secret, name)
  return toEvent(form, {
    method: 'POST',
    path: '/webhooks',
    headers: Object.entries(headers),
    body,
  })
}

describe.skipIf(folder === undefined)('a function on the runtime interface of AWS', () => {
  let runtime: Runtime
  const start = async (name: string) => {
    runtime = await startRuntime(folder ?? '', name)
  }
  afterEach(() => runtime.stop())

  test('responds to each form of event', async () => {
    await start('handler')
    for (const form of EVENT_FORMS) {
      const valid = await runtime.invoke(await eventOf('message.received', form))
      expect(valid).toMatchObject({ kind: 'response', value: { statusCode: 204, body: '' } })
      const forged = await runtime.invoke(await eventOf('message.received', form, 'whsec_other'))
      expect(forged).toMatchObject({ kind: 'response', value: { statusCode: 401 } })
    }
    expect(runtime.output().match(/handled [0-9a-f-]{36}/g)).toHaveLength(EVENT_FORMS.length)
  })

  test('responds with 500 to what a handler throws, prints it, and lives on', async () => {
    await start('handler')
    const failed = await runtime.invoke(await eventOf('message.failed'))
    expect(failed).toMatchObject({ kind: 'response', value: { statusCode: 500 } })
    expect(runtime.output()).toContain('the handler fails on purpose')
    const next = await runtime.invoke(await eventOf('message.received'))
    expect(next).toMatchObject({ kind: 'response', value: { statusCode: 204 } })
  })

  test('fails the invocation for an event that is not an HTTP request', async () => {
    await start('handler')
    const event = { Records: [{ eventSource: 'aws:sqs' }] }
    expect(await runtime.invoke(event)).toMatchObject({
      kind: 'error',
      value: { errorType: 'TypeError', errorMessage: expect.stringContaining('aws:sqs') },
    })
  })

  test('responds with 503 to a handler that hangs, before the time of the function is up', async () => {
    await start('handler')
    const response = await runtime.invoke(await eventOf('message.read'), 1.5)
    expect(response).toMatchObject({ kind: 'response', value: { statusCode: 503 } })
  })

  test('does not respond while a handler hangs without a deadline, where one written by hand gets null', async () => {
    await start('byHand')
    expect(await runtime.invoke(await eventOf('message.read'))).toEqual({
      kind: 'response',
      value: null,
    })
    await runtime.stop()
    await start('hangs')
    const waited = delay(1000, 'no response')
    expect(await Promise.race([runtime.invoke(await eventOf('message.read')), waited])).toBe(
      'no response',
    )
  })
})
