import { randomUUID } from 'node:crypto'
import { format } from 'node:util'
import type { StartHandler } from '@webhook-receiver/conformance/internal'
import { Tally } from '@webhook-receiver/conformance/internal'
import { signDelivery } from '@webhook-receiver/core/testing'
import type { ThrownValue } from './thrown-values.ts'

/** The result of one value. */
export interface FailureResult {
  readonly name: string
  /** One sentence for each thing that is wrong. */
  readonly problems: readonly string[]
}

/**
 * Throws each value in the handler of an adapter: at once, where there is `onError`, and by a rejection, where there is none.
 *
 * Each time the sender has to get 500 and nothing of the value, and the operator the value, once: by `onError`, or else on
 * standard error, with the path, the delivery and the stack, but without what the value has besides.
 */
export async function runFailures(
  start: StartHandler,
  values: readonly ThrownValue[],
): Promise<FailureResult[]> {
  const results = values.map(({ name }) => ({ name, problems: [] as string[] }))
  for (const hasHook of [true, false]) {
    const receiver = await startFailing(start, hasHook)
    try {
      for (const [at, value] of values.entries()) {
        const problems = await receiver.tryValue(value)
        const where = hasHook ? 'with onError' : 'without onError'
        results[at]?.problems.push(...problems.map((problem) => `${where}: ${problem}`))
      }
    } finally {
      await receiver.close()
    }
  }
  return results
}

/** What `onError` was called with, and whether its second argument is that of the handler. */
interface Seen {
  readonly error: unknown
  readonly matches: boolean
}

async function startFailing(start: StartHandler, hasHook: boolean) {
  const setup = { secret: 'whsec_failing', now: Date.now, path: '/webhooks' }
  let thrown: unknown
  let given: readonly unknown[] = []
  const seen: Seen[] = []
  const adapter = await start({
    ...setup,
    handlers: {
      any: (delivery, { request }) => {
        given = [delivery, request]
        if (!hasHook) return Promise.reject(thrown)
        throw thrown
      },
    },
    options: hasHook
      ? {
          onError: (error, { delivery, request }) => {
            seen.push({ error, matches: delivery === given[0] && request === given[1] })
          },
        }
      : {},
  })
  const uncaught = new Tally()
  uncaught.watch()

  const tryValue = async (value: ThrownValue) => {
    const mark = `original-${randomUUID()}`
    const hidden = `hidden-${randomUUID()}`
    thrown = value.make(mark, hidden)
    seen.length = 0
    const before = uncaught.uncaught.length
    const { response, printed } = await capture(() => deliver(adapter.port, setup))
    const problems = responseProblems(response, mark)
    if (`${response} ${printed}`.includes(hidden)) problems.push('a property of it was printed')
    if (uncaught.uncaught.length > before) problems.push('an error was left uncaught')
    if (!hasHook) problems.push(...printedProblems(printed, { thrown, value, mark, given }))
    else {
      problems.push(...hookProblems(seen, thrown, value))
      if (printed.length > 0) problems.push(`it was printed as well: ${printed.join(' ')}`)
    }
    return problems
  }
  const close = async () => {
    uncaught.unwatch()
    await adapter.close()
  }
  return { tryValue, close }
}

/** Sends a delivery, and resolves to the response as text: status, headers and body. */
async function deliver(
  port: number,
  { secret, path }: { readonly secret: string; readonly path: string },
): Promise<string> {
  const { headers, body } = await signDelivery(secret, 'message.received')
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    })
    const text = await response.text()
    // Errors may be printed after the response.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    return `${response.status} ${JSON.stringify([...response.headers])} ${text}`
  } catch (error) {
    return `none, but ${error}`
  }
}

/** Collects what is printed on standard error meanwhile, without empty lines. */
async function capture(run: () => Promise<string>) {
  const printed: string[] = []
  const { error } = console
  console.error = (...args) => {
    printed.push(format(...args))
  }
  try {
    const response = await run()
    return { response, printed: printed.filter((text) => text.trim() !== '') }
  } finally {
    console.error = error
  }
}

function responseProblems(response: string, mark: string): string[] {
  const right = /^500 .*"receiver_error"/.test(response) && !response.includes(mark)
  return right ? [] : [`the response was ${response}`]
}

function printedProblems(
  printed: readonly string[],
  { thrown, value: { isMarked }, mark, given: [delivery] }: Failed,
): string[] {
  const [text = ''] = printed
  if (printed.length !== 1) return [`it was printed ${printed.length} times: ${printed.join(' ')}`]
  if (isMarked && !text.includes(mark)) return [`what was thrown is not in: ${text}`]
  const { id, event } = Object(delivery)
  if (!['/webhooks', event, id].every((part) => text.includes(part))) {
    return [`the path, the event and the id are not in: ${text}`]
  }
  const [frame] = (isMarked && thrown instanceof Error && thrown.stack?.match(/at .+$/m)) || ['']
  return text.includes(frame) ? [] : [`its stack is not in: ${text}`]
}

/** A value that was thrown, and what the handler was given. */
interface Failed {
  readonly thrown: unknown
  readonly value: ThrownValue
  readonly mark: string
  readonly given: readonly unknown[]
}

function hookProblems(
  seen: readonly Seen[],
  thrown: unknown,
  { isUnreadable }: ThrownValue,
): string[] {
  const [first] = seen
  if (seen.length !== 1 || !first) return [`onError was called ${seen.length} times`]
  if (!first.matches) return ['onError was given another delivery or request than the handler']
  const isThrown = Object.is(first.error, thrown)
  if (isUnreadable) return isThrown ? ['onError was given what cannot be read'] : []
  return isThrown ? [] : ['onError was given something else than what was thrown']
}
