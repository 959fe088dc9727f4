import type { SignableParts } from '@webhook-receiver/core'
import type { Place, SchemeValue } from '../value.ts'
import { namesIn, put, readPlaces } from './place.ts'
import { clockOf } from './timestamp.ts'

/**
 * The body of `data`, with the id, the event and the time where the service has them and `data` does not. A
 * form that wraps JSON comes from data that has its field.
 */
export function composed(
  { id, event, timestamp, signed, jsonField = '' }: SchemeValue,
  data: object,
  parts: SignableParts,
): Uint8Array<ArrayBuffer> {
  const forms = event?.flatMap((place) => ('pointer' in place ? (place.form ?? []) : []))
  const isWrapped = jsonField in data
  const form = forms?.find((beginning) => parts.event.startsWith(beginning))
  const time = clockOf(parts.time, timestamp?.unit)
  let body = data
  if (!isWrapped && !Array.isArray(data)) {
    body = placed(body, timestamp && [timestamp.at], time)
    body = placed(body, event, parts.event, form)
    body = placed(body, id, parts.id, form)
  }
  const isForm = isWrapped || form !== undefined || signed.includes('form')
  return new TextEncoder().encode(isForm ? formOf(body) : JSON.stringify(body))
}

/** With the value at the first place for this kind of body, if the data has it at none of them. */
function placed(
  data: object,
  places: readonly Place[] = [],
  value: unknown,
  form?: string,
): object {
  const pointers = places.filter((place) => 'pointer' in place)
  const first = pointers.find((place) => place.form === form && !place.events)
  if (!first || !value || readPlaces(pointers, () => undefined, data) !== undefined) return data
  return put(data, namesIn(first.pointer), value)
}

/** A number or an object is written as JSON. */
function formOf(fields: object): string {
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `${new URLSearchParams(texts)}`
}
