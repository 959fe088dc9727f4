import { createServer } from 'node:http'
import type { LambdaEvent } from '@webhook-receiver/aws-lambda'
import { eventListener, signDelivery, toEvent } from '@webhook-receiver/aws-lambda/testing'
import { type Deviation, listening, type RunningAdapter } from '@webhook-receiver/conformance'
import type { InvokeOptions, LambdaFunction } from '../src/event-listener.ts'
import type { EventForm, EventRequest } from '../src/to-event.ts'

interface SignedEventOptions extends Partial<Omit<EventRequest, 'body'>> {
  /** The event of the delivery, or the bytes that are signed. */
  readonly of?: string | Uint8Array<ArrayBuffer>
  readonly form?: EventForm
}

/** The event of a signed request, with `headers` behind its own. */
export async function signedEvent(
  secret: string,
  { of = 'message.received', form = 'http-api', headers = [], ...request }: SignedEventOptions = {},
): Promise<LambdaEvent> {
  const signed = await signDelivery(secret, of)
  const lines = [...Object.entries(signed.headers), ...headers]
  const sent = { method: 'POST', path: '/webhooks?a=1', headers: lines, body: signed.body }
  return toEvent(form, { ...sent, ...request })
}

/** What stands in front of a function: its routes are those of an API that has one. */
export function serve(
  handler: LambdaFunction,
  path: string,
  options?: InvokeOptions,
): Promise<RunningAdapter> {
  const listener = eventListener(handler, options)
  return listening(
    createServer((req, res) => {
      if (req.url?.split('?')[0] === path) listener(req, res)
      else res.writeHead(404).end()
    }),
  )
}

const WAITS: Deviation = {
  saw: 'timeout',
  handlerRuns: 0,
  why: 'what is in front calls the function when the whole body is there, and this one never comes',
}

/** What no function can change: what is in front of it calls it with whole bodies. */
export const DEVIATIONS = {
  'declared-15-digits': WAITS,
  'declared-too-big': WAITS,
  'declared-unsigned': WAITS,
}
