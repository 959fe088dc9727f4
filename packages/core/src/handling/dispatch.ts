import { eventHint } from '../settings.ts'
import { isCallable } from '../validate/callable.ts'
import { describeValue } from '../validate/describe.ts'
import { isPlainObject } from '../validate/record.ts'
import { type ParsedDelivery, type Scheme, splitName } from '../verify/scheme.ts'

/** Any handler: that each gets only deliveries of its event is what the table is for. */
type Work = (delivery: unknown, context: unknown) => unknown

export interface HandlerLookup {
  /** What the application has handlers for. */
  readonly names: readonly string[]
  /** The handler of a delivery, or `undefined` if there is none. */
  find(delivery: ParsedDelivery): Work | undefined
}

/**
 * Finds the handler of each delivery. One function handles every event.
 *
 * @param options the names of options, which are often passed in place of the handlers.
 * @throws TypeError for a key that is not an event, and for a handler that is not a function.
 */
export function createHandlerLookup(
  handlers: unknown,
  scheme: Scheme,
  events: ReadonlySet<string>,
  options: readonly string[],
): HandlerLookup {
  const table = checkHandlers(handlers, scheme, events, options)
  const names = [...table.keys()]
  const fallback = table.get('any')
  if (!scheme.events) return { names, find: finderOf(table, fallback, scheme) }
  const unknown = table.get('unknown') ?? fallback
  return {
    names,
    find: ({ known, event = '' }) => (known ? (table.get(event) ?? fallback) : unknown),
  }
}

/** Finds the most specific handler: that of the action, of the event, or of any. */
function finderOf(
  table: ReadonlyMap<string, Work>,
  fallback: Work | undefined,
  scheme: Scheme,
): HandlerLookup['find'] {
  const events = new Map<string, Work>()
  // In two steps: the name of an event may be anybody's, and one with a dot must not pick the handler of an action.
  const actions = new Map<string, Map<string, Work>>()
  for (const [name, work] of table) {
    const [event, action] = scheme.actionOf ? splitName(name) : [name]
    if (action === undefined) events.set(event, work)
    else actions.set(event, (actions.get(event) ?? new Map()).set(action, work))
  }
  if (actions.size === 0) return ({ event = 'any' }) => events.get(event) ?? fallback
  return ({ event = 'any', action, data }) => {
    const specific = actions.get(event)?.get(action ?? scheme.actionOf?.(data) ?? '')
    return specific ?? events.get(event) ?? fallback
  }
}

function checkHandlers(
  handlers: unknown,
  { name, hasEvent, events: listed }: Scheme,
  events: ReadonlySet<string>,
  options: readonly string[],
): ReadonlyMap<string, Work> {
  const table = new Map<string, Work>()
  if (isWork(handlers)) return table.set('any', handlers)
  if (!isPlainObject(handlers)) {
    throw new TypeError(
      `The handlers should be a function, or a plain object of functions by event, such as { 'message.received': async (delivery) => { … } }; got ${describeValue(handlers)}.`,
    )
  }
  for (const [event, work] of Object.entries(handlers)) {
    if (options.includes(event) && (listed ? !events.has(event) : !isWork(work))) {
      throw new TypeError(
        `\`${event}\` is an option: pass options in their own object, behind the handlers.`,
      )
    }
    if (!listed && (event === 'unknown' || (event !== 'any' && !hasEvent))) {
      throw new TypeError(
        `There is a handler for ${JSON.stringify(event)}, but ${hasEvent ? 'only the default format has it' : `${name} has no names of events`}. Use \`any\`, or one function.`,
      )
    }
    if (listed && !events.has(event) && !FALLBACKS.includes(event)) {
      throw new TypeError(
        `There is a handler for ${JSON.stringify(event)}, which is not an event. ${eventHint(event, [...events, ...FALLBACKS])}`,
      )
    }
    if (work === undefined) continue
    if (!isWork(work)) {
      throw new TypeError(
        `The handler for ${JSON.stringify(event)} should be a function, such as async (delivery) => { … }; got ${describeValue(work)}.`,
      )
    }
    table.set(event, work)
  }
  if (table.size > 0) return table
  throw new TypeError(
    'There is no handler, so every delivery would be forgotten: add one for an event, or `any`.',
  )
}

/** The keys of handlers that are not events. */
export const FALLBACKS: readonly string[] = ['unknown', 'any']

function isWork(value: unknown): value is Work {
  return isCallable(value)
}
