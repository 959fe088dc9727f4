import { createServer } from 'node:http'
import { eventListener } from '@webhook-receiver/aws-lambda/testing'
import { type Deviation, listening, type RunningAdapter } from '@webhook-receiver/conformance'
import type { InvokeOptions, LambdaFunction } from '../src/event-listener.ts'

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
