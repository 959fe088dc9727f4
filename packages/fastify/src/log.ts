import {
  describeError,
  type ForwardErrors,
  printHandlerFailure,
} from '@webhook-receiver/core/adapter'
import type { FastifyRequest } from 'fastify'

/** To the logger of Fastify, which logs errors that are forwarded by itself; without a logger, to standard error. */
export function logFailure(
  error: unknown,
  failed: Failed,
  line: string,
  { forwardErrors }: ForwardErrors,
): void {
  if (!hasLogger(failed)) printHandlerFailure(error, failed, line)
  else if (!forwardErrors) {
    // Not the error, of which a serializer writes all own properties. Without a prototype, pino's takes the name for the type.
    const err = Object.assign(Object.create(null), describeError(error))
    failed.request.log.error({ err }, line)
  }
}

/** Fastify without a logger has one whose methods are all the same and do nothing. */
function hasLogger({ request: { log } }: Failed): boolean {
  return log.error !== log.fatal || 'level' in log
}

interface Failed {
  readonly request: FastifyRequest
}
