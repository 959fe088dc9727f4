import type { HeaderLookup } from '@webhook-receiver/core'
import type { HeaderPlace, PointerPlace } from '../value.ts'

/** The first of the places that holds a non-empty string or a whole number, as text. */
export function readPlaces(
  places: readonly (HeaderPlace | PointerPlace)[],
  header: HeaderLookup,
  data: unknown,
): string | undefined {
  for (const place of places) {
    const found = 'header' in place ? headerAt(place, header) : readPointer(place.pointer, data)
    if ((typeof found === 'string' && found !== '') || Number.isSafeInteger(found))
      return `${found}`
  }
  return undefined
}

/** What a header holds that may have several names: the first of them that is there. */
export function headerAt(place: HeaderPlace, header: HeaderLookup): string | undefined {
  if (typeof place.header === 'string') return header(place.header) || undefined
  for (const name of place.header) {
    const value = header(name)
    if (value) return value
  }
  return undefined
}

/** The names of a header. */
export function namesOf({ header }: HeaderPlace): readonly string[] {
  return typeof header === 'string' ? [header] : header
}

/** What a JSON pointer (RFC 6901) points to, and nothing that was inherited. */
export function readPointer(pointer: string, data: unknown): unknown {
  let value = data
  for (const name of namesIn(pointer)) value = step(value, name)
  return value
}

/** A copy without what a JSON pointer points to. */
export function withoutPointer(pointer: string, data: unknown): unknown {
  return without(namesIn(pointer), data)
}

function without([name = '', ...rest]: readonly string[], value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  const { [name]: inner, ...others } = value as Readonly<Record<string, unknown>>
  return rest.length === 0 ? others : { ...others, [name]: without(rest, inner) }
}

export function namesIn(pointer: string): readonly string[] {
  let names = split.get(pointer)
  if (!names) {
    names = pointer
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    split.set(pointer, names)
  }
  return names
}

/** The names in each pointer. Only values of schemes have pointers, never a request, so they are few. */
const split = new Map<string, readonly string[]>()

/** A copy with a value where a JSON pointer with these names points to: in front, as services write it. */
export function put(data: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner = rest.length > 0 ? put(Object(Reflect.get(data, name)), rest, value) : value
  return Object.assign({ [name]: inner }, data, { [name]: inner })
}

function step(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}
