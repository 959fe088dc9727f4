import type { SignableParts } from '@webhook-receiver/core'
import type { Place, SchemeValue } from '../value.ts'

/** Makes the function that writes `data` as a body, with the id, the event and the time where the service has them and `data` does not. */
export function composerOf({
  id,
  event,
  timestamp,
  signed,
}: SchemeValue): (data: object, parts: SignableParts) => Uint8Array<ArrayBuffer> {
  const forms = event?.flatMap((place) => ('pointer' in place ? (place.form ?? []) : []))
  return (data, parts) => {
    const form = forms?.find((beginning) => parts.event.startsWith(beginning))
    const time = timestamp?.unit === 'ms' ? parts.time : Math.floor(parts.time / 1000)
    const body = {
      ...placed(id, parts.id, form),
      ...placed(event, parts.event, form),
      ...placed(timestamp && [timestamp.at], time),
      ...data,
    }
    const isForm = form !== undefined || signed.includes('form')
    const whole = Array.isArray(data) ? data : body
    return new TextEncoder().encode(
      isForm ? `${new URLSearchParams(Object.entries(body))}` : JSON.stringify(whole),
    )
  }
}

/** `{ event: { type: value } }` for `/event/type`, which is the first place for this kind of body. */
function placed(places: readonly Place[] = [], value: unknown, form?: string): object {
  const [first] = places.flatMap((place) =>
    'pointer' in place && place.form === form ? place.pointer : [],
  )
  if (!first || !value) return {}
  const names = first.split('/').slice(1)
  return Object(names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value))
}
