import { pointed } from './pointer.ts'
import type { Place } from './service.ts'

/** The places of something, in the order in which they are looked at. */
export function placesOf(given: Place | readonly Place[] | undefined): readonly Place[] {
  return given === undefined ? [] : [given].flat()
}

/** The first text that is not empty. */
export function textAt(
  places: readonly Place[],
  header: (name: string) => string | null | undefined,
  data: unknown,
): string | undefined {
  for (const place of places) {
    const found = 'header' in place ? header(place.header) : pointed(data, place.pointer)
    if (typeof found === 'string' && found !== '') return found
  }
  return undefined
}

/** Where it should be, for messages. */
export function fieldOf(places: readonly Place[]): string {
  return places.map((place) => ('header' in place ? place.header : place.pointer)).join(' or ')
}
