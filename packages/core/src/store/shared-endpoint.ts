import { processWide } from '../copies/process-wide.ts'
import { isRecord } from '../validate/record.ts'
import type { Scheme } from '../verify/scheme.ts'

/** The first handler of an endpoint, and what was reported of the others. */
interface Known {
  readonly handlers: unknown
  readonly name: string
  readonly content: string
  readonly warned: Set<'handlers' | 'schemes'>
}

/** By store: the endpoints for which a handler was created. */
const endpoints = processWide('handlers', () => new WeakMap<object, Map<string, Known>>())

/**
 * Warns once of other functions with the same store and endpoint: what one of them has handled, the other acknowledges
 * without running it. The same functions are what a worker or a backfill beside the server has. And once of another scheme under the same name, which somebody else may have chosen. Schemes are compared by
 * what they hold: one value may be loaded twice, as an ES module and as CommonJS.
 */
export function warnOfSharedEndpoint(
  store: object,
  endpoint: string,
  scheme: Scheme,
  handlers: unknown,
): void {
  const known = endpoints.get(store) ?? new Map<string, Known>()
  endpoints.set(store, known)
  const { name } = scheme
  const content = contentOf(scheme)
  const first = known.get(endpoint)
  if (!first) {
    known.set(endpoint, { handlers, name, content, warned: new Set() })
    return
  }
  const kind = first.name === name && first.content !== content ? 'schemes' : 'handlers'
  if (kind === 'handlers' && areSame(first.handlers, handlers)) return
  if (first.warned.has(kind)) return
  first.warned.add(kind)
  const two = kind === 'handlers' ? kind : `${kind} named ${JSON.stringify(name)}`
  console.warn(
    `[webhook-receiver] Two ${two} share a store and the \`endpoint\` ${JSON.stringify(endpoint)}: what one has handled, the other ` +
      'acknowledges without running it. Give each its own `endpoint`.',
  )
}

/** Whether both are one function, or have the same ones under the same names. */
function areSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isRecord(one) || !isRecord(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  )
}

/** The value of a scheme, or else its own properties, in an order that does not depend on how they were written. */
function contentOf(scheme: Scheme): string {
  return JSON.stringify(Reflect.get(scheme, 'value') ?? scheme, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  )
}
