import type { SignableParts } from '@webhook-receiver/core'
import type { Place, SchemeValue } from '../value.ts'
import { type ContentReader, contentsOf } from './content.ts'
import { isHeader } from './coverage.ts'
import { encode } from './encoding.ts'
import type { Forms } from './form.ts'
import { isForm } from './is-form.ts'
import type { Key, Method } from './method.ts'
import { namesOf } from './place.ts'
import { clockOf } from './timestamp.ts'

/** Makes the function that signs as the service does. */
export function signerOf(
  value: SchemeValue,
  methods: readonly Method[],
  contentOf: ContentReader,
  forms: Forms | undefined,
): (key: Key, body: Uint8Array, parts: SignableParts) => Promise<Headers> {
  const { name, signature, keys, timestamp } = value
  return async ({ index, handle }, body, { id, event, time, url, timestamp: sent }) => {
    const clock = sent ?? `${clockOf(time, timestamp?.unit)}`
    const headers: Record<string, string> = {}
    const set = (place: Place | undefined, text: string) => {
      const [name] = isHeader(place) ? namesOf(place) : []
      if (name) headers[name] = text
    }
    for (const place of value.id ?? []) set(place, id)
    for (const place of value.event ?? []) set(place, event)
    set(timestamp?.at, clock)
    const header = (name: string) => headers[name]
    const signing = contentOf({ header, timestamp: clock, url, isRegistered: true })
    if (isForm(value, body)) headers['content-type'] = 'application/x-www-form-urlencoded'
    const [content] = contentsOf(value, signing, body, forms)
    const made = content && (await methods[index]?.sign(handle, content))
    if (!made) throw new TypeError(`Only ${name} itself can sign this request.`)
    const { field, separator = '' } = signature
    const text = `${keys[index]?.prefix ?? ''}${encode(signature.encoding, made)}`
    const timed = timestamp && 'field' in timestamp.at ? [`${timestamp.at.field}=${clock}`] : []
    set(signature, field ? [...timed, `${field}=${text}`].join(separator) : text)
    return headers
  }
}

type Headers = Readonly<Record<string, string>>
