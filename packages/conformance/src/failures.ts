import { randomUUID } from 'node:crypto'
import { format } from 'node:util'
import { signDelivery } from '@webhook-receiver/core/testing'
import type { RunningAdapter } from './adapter.ts'
import { Tally } from './tally.ts'
import { type ThrownValue, thrownValues } from './thrown-values.ts'

export { type ThrownValue, thrownValues } from './thrown-values.ts'

/** What an adapter gets to start a receiver whose handler fails. */
export interface FailingSetup {
  readonly secret: string
  /** The path deliveries are posted to. */
  readonly path: string
  /** The application's handler: it throws, or returns a promise that rejects. */
  readonly handler: (delivery: unknown) => unknown
  /** If present, the application has an error handler, which calls this with its error and answers the returned status. */
  readonly onError?: (error: unknown) => number
}

export type StartFailing = (setup: FailingSetup) => RunningAdapter | Promise<RunningAdapter>

export interface FailureOptions {
  /** Values to throw besides those of `thrownValues`. */
  readonly values?: readonly ThrownValue[]
  /**
   * What the application's error handler gets: the WebhookError whose `cause` is what was thrown; or what was
   * thrown itself where that is an Error, because the framework hands it over before anything else can see it;
   * or nothing, where there are no error handlers.
   * @default 'cause'
   */
  readonly handed?: 'cause' | 'original' | 'nothing'
}

/** The result of one value. */
export interface FailureResult {
  readonly name: string
  /** One sentence for each thing that is wrong. */
  readonly problems: readonly string[]
}

/** How long an answer is waited for, in milliseconds. */
const ANSWER_TIMEOUT = 10_000

/**
 * Throws each value in the handler of an adapter: at once and by a rejection, with an error handler of the
 * application and without one.
 *
 * Each time the sender has to get 500 and nothing of what was thrown, and the operator what was thrown, once:
 * in the error handler, or else on standard error.
 */
export async function runFailures(
  start: StartFailing,
  { values = [], handed = 'cause' }: FailureOptions = {},
): Promise<FailureResult[]> {
  const all = [...thrownValues, ...values]
  const results = all.map(({ name }) => ({ name, problems: [] as string[] }))
  for (const hasErrorHandler of handed === 'nothing' ? [false] : [false, true]) {
    const receiver = await startFailing(start, hasErrorHandler, handed)
    try {
      for (const [at, value] of all.entries()) {
        for (const how of ['thrown', 'rejected'] as const) {
          const problems = await receiver.tryValue(value, how)
          const where = `${how}, ${hasErrorHandler ? 'with' : 'without'} an error handler`
          results[at]?.problems.push(...problems.map((problem) => `${where}: ${problem}`))
        }
      }
    } finally {
      await receiver.close()
    }
  }
  return results
}

async function startFailing(
  start: StartFailing,
  hasErrorHandler: boolean,
  handed: FailureOptions['handed'],
) {
  const secret = 'whsec_failing'
  const received: unknown[] = []
  let handler = (): unknown => undefined
  const setup = { secret, path: '/webhooks', handler: () => handler() }
  const onError = (error: unknown): number => {
    received.push(error)
    return statusOf(error)
  }
  const adapter = await start(hasErrorHandler ? { ...setup, onError } : setup)
  const uncaught = new Tally()
  uncaught.watch()

  const tryValue = async (value: ThrownValue, how: 'thrown' | 'rejected') => {
    const mark = `original-${randomUUID()}`
    const thrown = value.make(mark)
    handler = () => {
      if (how === 'rejected') return Promise.reject(thrown)
      throw thrown
    }
    received.length = 0
    const before = uncaught.uncaught.length
    const { result: answer, printed } = await capture(() => deliver(adapter.port, setup))
    // What an error handler was handed as it is, it may answer as it likes, if only the delivery comes again.
    const mayChoose = hasErrorHandler && handed === 'original'
    const problems = answerProblems(answer, mayChoose ? /^5/ : /^500/, mark)
    if (uncaught.uncaught.length > before) problems.push('an error was left uncaught')
    if (hasErrorHandler) problems.push(...receivedProblems(received, thrown, value, handed))
    if (hasErrorHandler && printed.length > (handed === 'original' ? 1 : 0)) {
      problems.push(`it was printed as well: ${printed.join(' ')}`)
    }
    if (!hasErrorHandler) problems.push(...printedProblems(printed, thrown, value, mark))
    return problems
  }
  const close = async () => {
    uncaught.unwatch()
    await adapter.close()
  }
  return { tryValue, close }
}

/** The status that a careless error handler answers. */
function statusOf(error: unknown): number {
  try {
    const status: unknown = error instanceof Error && 'status' in error && error.status
    return typeof status === 'number' ? status : 500
  } catch {
    return 500
  }
}

/** Sends a delivery, and resolves to the answer as text: status, headers and body. */
async function deliver(
  port: number,
  { secret, path }: Pick<FailingSetup, 'secret' | 'path'>,
): Promise<string> {
  const { headers, body } = await signDelivery(secret, 'message.received')
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT),
    })
    const text = await answer.text()
    // Errors may be printed after the answer.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    return `${answer.status} ${JSON.stringify([...answer.headers])} ${text}`
  } catch (error) {
    return `none, but ${error}`
  }
}

function answerProblems(answer: string, expected: RegExp, mark: string): string[] {
  return expected.test(answer) && !answer.includes(mark) ? [] : [`the answer was ${answer}`]
}

/** Runs a function and collects what is printed on standard error, without empty lines. */
async function capture<Result>(
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly printed: readonly string[] }> {
  const printed: string[] = []
  const { error } = console
  console.error = (...args) => {
    printed.push(format(...args))
  }
  try {
    const result = await run()
    return { result, printed: printed.filter((text) => text.trim() !== '') }
  } finally {
    console.error = error
  }
}

function printedProblems(
  printed: readonly string[],
  thrown: unknown,
  { isMarked }: ThrownValue,
  mark: string,
): string[] {
  const [text = ''] = printed
  if (printed.length !== 1) return [`it was printed ${printed.length} times: ${printed.join(' ')}`]
  if (isMarked && !text.includes(mark)) return [`what was thrown is not in: ${text}`]
  const [frame] = (isMarked && thrown instanceof Error && thrown.stack?.match(/^ +at .+$/m)) || ['']
  return text.includes(frame) ? [] : [`its stack is not in: ${text}`]
}

function receivedProblems(
  received: readonly unknown[],
  thrown: unknown,
  { isUnreadable }: ThrownValue,
  handed: FailureOptions['handed'],
): string[] {
  const [error] = received
  if (received.length !== 1) return [`the error handler was called ${received.length} times`]
  if (handed === 'original' && (isUnreadable || error === thrown)) return []
  try {
    const { name, reason, status, cause } = Object(error)
    if (name === 'WebhookError' && reason === 'handler_failed' && status === 500) {
      return isUnreadable || Object.is(cause, thrown) ? [] : ['the cause is not what was thrown']
    }
    return [`the error handler was given ${format('%o', error)}`]
  } catch {
    return ['the error handler was given what cannot be read']
  }
}
