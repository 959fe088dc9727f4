import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { EVENT_FORMS, type EventForm } from '../src/to-event.ts'
import { type Runtime, startRuntime } from './runtime-api.ts'
import { signedEvent } from './serving.ts'

/** A folder in which aws-lambda-ric is installed: its installation compiles for minutes. */
const { AWS_LAMBDA_RIC: folder } = process.env

if (folder === undefined) {
  console.warn('Set AWS_LAMBDA_RIC to a folder in which aws-lambda-ric is installed.')
}

const eventOf = (of: string, form: EventForm = 'http-api', secret = 'whsec_function') =>
  signedEvent(secret, { of, form })

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
