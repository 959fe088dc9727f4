import type { HeaderLookup, ParsedDelivery } from '@webhook-receiver/core'
import { rejection } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'
import { namesOf, readPlaces } from './place.ts'

/**
 * The delivery of a parsed body. Its event is empty where the body names none.
 *
 * @throws WebhookError `envelope_invalid` (400) where the service signs identifiers, and this request has none. What is not signed
 * rejects nothing.
 */
export function deliveryOf(
  { name, id, idIsOptional, event }: SchemeValue,
  signsId: boolean,
  header: HeaderLookup,
  data: object,
): ParsedDelivery {
  const found = id && readPlaces(id, header, data)
  // An empty one would make every delivery a duplicate of the first.
  if (id && signsId && !idIsOptional && found === undefined) {
    const places = id.flatMap((place) => ('header' in place ? namesOf(place) : place.pointer))
    throw rejection('envelope_invalid', {
      field: `the id (${places.join(' or ')})`,
      expected: 'a non-empty string, or a whole number below 2^53',
    })
  }
  const eventName = event && (readPlaces(event, header, data) ?? '')
  if (found === undefined) {
    return eventName === undefined
      ? { scheme: name, data }
      : { scheme: name, event: eventName, data }
  }
  return eventName === undefined
    ? { scheme: name, id: found, data }
    : { scheme: name, id: found, event: eventName, data }
}
