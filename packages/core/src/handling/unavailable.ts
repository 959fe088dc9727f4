import { readable } from '../reject/handler-failure.ts'
import { rejection } from '../reject/rejection.ts'
import {
  isWebhookError,
  type WebhookError,
  type WebhookErrorOptions,
} from '../reject/webhook-error.ts'
import { isError } from '../validate/error.ts'

/** How far a delivery had come when the store failed. */
const STAGES = {
  begin: 'The handler did not run.',
  running: 'The handler was running: its transaction may be committed or not.',
  complete: 'The handler had finished, but a copy may run after the end of the lease.',
  commit: 'The handler had finished: its transaction may be committed or not.',
} as const

/** The stage at which the store failed; for a claim, the length of its lease in seconds. */
export type Stage = 'begin' | 'running' | 'complete' | 'commit' | { readonly lease: number }

/** The error for a delivery whose store gave no usable result: without `advice`, one that its interface does not have. */
export function storeUnavailable(
  stage: Stage,
  fault: string,
  options?: WebhookErrorOptions,
  advice: string = WRONG,
): WebhookError {
  return rejection('store_unavailable', { fault, consequence: consequence(stage), advice }, options)
}

function consequence(stage: Stage): string {
  if (typeof stage === 'string') return STAGES[stage]
  return `The handler did not run. If the claim was made, the next copy may wait up to ${stage.lease} s.`
}

/** The error for a store that rejected. `responded`: whether it has responded to anything before. */
export function storeFailed(stage: Stage, cause: unknown, responded = true): WebhookError {
  const read = readable(cause, 'The store')
  if (isWebhookError(read)) return read
  const { message, code } = rootOf(read)
  const why = message.replace(/\.$/, '')
  const fault = `failed: ${why}${code === undefined || why.includes(code) ? '' : ` (${code})`}`
  return storeUnavailable(stage, fault, { cause: read }, adviceFor(message, code, responded))
}

interface Root {
  readonly message: string
  readonly code: string | undefined
}

/** The first error with a code, which is that of the database: what maps objects to tables wraps it in one with a long message. */
function rootOf(error: unknown): Root {
  let root: Root = { message: 'it threw a value that is not an Error', code: undefined }
  try {
    let seen = error
    for (let depth = 0; depth < DEPTH && isError(seen); depth++) {
      const { code, $fault, message, name }: Error & { code?: unknown; $fault?: unknown } = seen
      // An error of AWS has its code as its name.
      const named = typeof code === 'string' ? code : $fault === 'client' ? name : undefined
      if (depth === 0 || named !== undefined) root = { message: message || name, code: named }
      // A store that says what to do about an error keeps its code.
      if (named !== undefined) break
      seen = seen.cause
    }
  } catch {
    // Reading an error may throw another; what was read before that is said.
  }
  return root
}

const DEPTH = 5

/** What database clients say when all connections of their pool are in use. */
const POOL_IN_USE = /\bpool\b|acquir|exceeded when trying to connect/i

/** The SQLSTATE with which PostgreSQL rejects a connection that would be one too many: a larger pool would ask for more. */
const TOO_MANY = '53300'

/** What PostgreSQL, SQLite and DynamoDB themselves say of a statement, where its connection works. */
const OF_STATEMENT =
  /^(?:(?=.*\d)(?!08|57P|58)[\dA-Z]{5}|(?:ERR_)?SQLITE_(?!CANTOPEN)\w+|(?!\w*(?:Limit|Thr))\w+Exception)$/

/** How replies of Redis begin that are errors, of which OOM and READONLY are the most frequent. */
const OF_COMMAND =
  /^(?:ERR|BUSY|LOADING|MISCONF|MOVED|NO[A-Z]+|OOM|READONLY|[A-Z]+DOWN|WRONG[A-Z]+) /

/** How ioredis and node-redis say that they have no connection and keep no commands for it. */
const OFFLINE = /enableOfflineQueue|client is (?:offline|closed)/i

function adviceFor(message: string, code: string | undefined, responded: boolean): string {
  if (!responded && OFFLINE.test(message)) return NOT_YET
  if (code === TOO_MANY) return FULL
  if (POOL_IN_USE.test(message)) return POOL
  if (OF_STATEMENT.test(code ?? '') || OF_COMMAND.test(message)) return STATEMENT
  return DOWN
}

const NOT_YET =
  'The client is not connected yet: see its errors, or let commands wait, as in the recipe of your client.'
const WRONG = 'Correct the store: `describeStore` of @webhook-receiver/conformance tests it.'
const DOWN = 'Is the database up, and can this machine reach it?'
const SLOW = `${DOWN} Or is its pool too small?`
const STATEMENT = 'The database rejects what the store asks: see the cause.'
const FULL = 'Make the pools smaller, or let PostgreSQL have more connections.'
const POOL =
  'All connections may be in use: raise the size of the pool; in a handler, use `transaction`.'

/** The error for a store that did not respond in time. */
export function storeTooSlow(stage: Stage, seconds: number): WebhookError {
  return storeUnavailable(stage, `did not respond within ${rounded(seconds)} s`, undefined, SLOW)
}

/** The error for a delivery that an overloaded store is not asked about. */
export function storeBehind(): WebhookError {
  return storeUnavailable('begin', 'has not responded in time to earlier calls', undefined, SLOW)
}

function rounded(seconds: number): number {
  return Number(seconds.toPrecision(3))
}

export function inProgress(seconds: number): WebhookError {
  // A store may return no number, and Retry-After has no fractions.
  const isWait = typeof seconds === 'number' && seconds > 0 && seconds <= 86_400
  const wait = isWait ? Math.ceil(seconds) : 1
  return rejection('delivery_in_progress', { wait }, { headers: { 'Retry-After': String(wait) } })
}

export function leaseLost(how: string, lease: number, options?: WebhookErrorOptions): WebhookError {
  return rejection('lease_lost', { how, lease }, options)
}

export function handlerTimeout(seconds: number): WebhookError {
  return rejection('handler_timeout', { seconds: rounded(seconds) })
}

/** The error for a decision that came too late: a retry at once, as Supabase makes it, would run beside the handler that goes on. */
export function decisionTimeout(seconds: number): WebhookError {
  const error = handlerTimeout(seconds)
  Reflect.deleteProperty(error.headers, 'Retry-After')
  return error
}

export function handlerAbandoned(seconds: number): WebhookError {
  return rejection('handler_abandoned', { seconds: rounded(seconds) })
}
