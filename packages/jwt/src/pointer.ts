import { isRecord } from '@webhook-receiver/core/internal'

/** What a pointer names (RFC 6901); `undefined` if there is nothing. */
export function pointed(value: unknown, pointer: string): unknown {
  return partsOf(pointer).reduce(
    (at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    value,
  )
}

/** The value with something else at a pointer, in objects that are made where there are none. Nothing that was given is changed. */
export function withPointed(value: unknown, pointer: string, part: unknown): unknown {
  const [name, ...rest] = partsOf(pointer)
  if (name === undefined) return part
  const object = isRecord(value) ? value : {}
  const below = Object.hasOwn(object, name) ? object[name] : undefined
  return {
    ...object,
    [name]: withPointed(below, rest.map((each) => `/${escaped(each)}`).join(''), part),
  }
}

function partsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}
