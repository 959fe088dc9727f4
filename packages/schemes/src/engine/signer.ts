import type { SignableParts } from '@webhook-receiver/core/adapter'
import type { SchemeValue } from '../value.ts'
import { isForm } from './body.ts'
import { contentReader, contentsOf } from './content.ts'
import { encode } from './encoding.ts'
import type { Extras } from './extras.ts'
import type { Key, Method } from './method.ts'

/** Makes the function that signs as the service does; `undefined` where the service has all keys to itself. */
export function signerOf(
  value: SchemeValue,
  methods: readonly Method[],
  { forms, urls }: Extras,
): ((key: Key, body: Uint8Array, parts: SignableParts) => Promise<Headers>) | undefined {
  if (!methods.some((method) => method.sign)) return undefined
  const { name, signature, keys, timestamp } = value
  const contentOf = contentReader(value, urls)
  return async ({ index, handle }, body, { id, event, time, url }) => {
    const clock = `${Math.floor(time / (timestamp?.unit === 'ms' ? 1 : 1000))}`
    const headers: Record<string, string> = {}
    for (const place of value.id ?? []) if ('header' in place) headers[place.header] = id
    for (const place of value.event ?? []) if ('header' in place) headers[place.header] = event
    if (timestamp && 'header' in timestamp.at) headers[timestamp.at.header] = clock
    const signing = contentOf({ header: (header) => headers[header], timestamp: clock, url })
    if (isForm(value, signing, body)) headers['content-type'] = 'application/x-www-form-urlencoded'
    const [content] = contentsOf(value, signing, body, forms)
    const made = content && (await methods[index]?.sign?.(handle, content))
    if (!made) throw new TypeError(`Only ${name} itself can sign this request.`)
    const { header, field, separator = '' } = signature
    const text = `${keys[index]?.prefix ?? ''}${encode(signature.encoding, made)}`
    const timed = timestamp && 'field' in timestamp.at ? [`${timestamp.at.field}=${clock}`] : []
    headers[header] = field ? [...timed, `${field}=${text}`].join(separator) : text
    return headers
  }
}

type Headers = Readonly<Record<string, string>>
