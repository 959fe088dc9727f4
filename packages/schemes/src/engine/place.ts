import type { HeaderLookup } from '@webhook-receiver/core/adapter'
import type { HeaderPlace, PointerPlace } from '../value.ts'

/** The first of the places that holds a non-empty string or a whole number, as text. */
export function readPlaces(
  places: readonly (HeaderPlace | PointerPlace)[],
  header: HeaderLookup,
  data: unknown,
): string | undefined {
  for (const place of places) {
    const found = 'header' in place ? header(place.header) : readPointer(place.pointer, data)
    if ((typeof found === 'string' && found !== '') || Number.isSafeInteger(found))
      return `${found}`
  }
  return undefined
}

/** What a JSON pointer (RFC 6901) points to, and nothing that was inherited. */
export function readPointer(pointer: string, data: unknown): unknown {
  return pointer.split('/').slice(1).reduce(step, data)
}

function step(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}
