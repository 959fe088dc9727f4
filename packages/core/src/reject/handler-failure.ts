import { isError } from '../validate/error.ts'
import { oneLine, pageAt, placeOf } from './log-line.ts'
import { printError } from './print-error.ts'
import { rejection } from './rejection.ts'
import type { WebhookError } from './webhook-error.ts'

/**
 * The error for what a handler threw: `handler_failed` (500), with the thrown value as its `cause`.
 *
 * Frameworks read a status, headers and even a whole response from a thrown value, and treat a value that is
 * not an Error as control flow or as a response. None of that may decide the status of a delivery.
 */
export function handlerFailed(thrown: unknown): WebhookError {
  return rejection('handler_failed', undefined, { cause: readable(thrown) })
}

/** What the log says besides the error. */
export function failureLine(...where: Parameters<typeof whereOf>): string {
  return `500 handler_failed${whereOf(...where)}: the handler threw`
}

/** Where an error was, and of which delivery, behind a space. */
export function whereOf(
  { id, event }: { readonly id?: unknown; readonly event?: unknown },
  endpoint: string | undefined,
  url: string | undefined,
): string {
  const named = [event, id].filter((value) => typeof value === 'string')
  const which = named.map((value) => ` ${oneLine(value).slice(0, 100)}`).join('')
  return `${placeOf(endpoint, url)}${which}`
}

/** Writes what a handler threw to standard error: the default `onError`. */
export function printHandlerFailure(thrown: unknown, _failed: unknown, line: string): void {
  printError(`[webhook-receiver] ${line}`, thrown, `\n  ${pageAt('errors#handler_failed')}`)
}

const DEPTH = 10

/** The thrown value, or another error if reading it throws: loggers read it without a `try`. */
export function readable(thrown: unknown, thrower = 'The handler'): unknown {
  try {
    let seen = thrown
    for (let depth = 0; depth < DEPTH && isObject(seen); depth++) {
      for (const key of ['name', 'message', 'stack']) String(Reflect.get(seen, key))
      for (const key of Object.keys(seen)) Reflect.get(seen, key)
      seen = Reflect.get(seen, 'cause')
    }
    return thrown
  } catch {
    return new Error(
      `${thrower} threw an object that cannot be read, because reading it throws an error.`,
    )
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** The name of an error, for a message that must not quote the delivery. */
export function nameOf(error: unknown): string | undefined {
  return isError(error) ? error.name : undefined
}
