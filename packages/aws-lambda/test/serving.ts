import { createServer, type Server } from 'node:http'
import {
  eventListener,
  type InvokeOptions,
  type LambdaFunction,
} from '@webhook-receiver/aws-lambda/testing'
import { listening, type RunningAdapter } from '@webhook-receiver/conformance'

/** What stands in front of a function: its routes are those of an API that has one. */
export function serve(
  handler: LambdaFunction,
  path: string,
  options?: InvokeOptions,
  server: Server = createServer(),
): Promise<RunningAdapter> {
  const listener = eventListener(handler, options)
  server.on('request', (req, res) => {
    if (req.url?.split('?')[0] === path) listener(req, res)
    else res.writeHead(404).end()
  })
  return listening(server)
}
