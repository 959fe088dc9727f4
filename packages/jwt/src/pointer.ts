import { isRecord } from '@webhook-receiver/core/internal'

/** What a pointer names (RFC 6901); `undefined` if there is nothing. */
export function pointed(value: unknown, pointer: string): unknown {
  let at = value
  for (const name of partsOf(pointer)) {
    at = isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}

/** The value with something else at a pointer, in objects that are made where there are none. Nothing that was given is changed. */
export function withPointed(value: unknown, pointer: string, part: unknown): unknown {
  const [name, ...rest] = partsOf(pointer)
  if (name === undefined) return part
  const object: Readonly<Record<string, unknown>> = isRecord(value) ? value : {}
  return {
    ...object,
    [name]: withPointed(object[name], rest.map((each) => `/${escaped(each)}`).join(''), part),
  }
}

/** Those of the services, which name all pointers. */
const known = new Map<string, readonly string[]>()

function partsOf(pointer: string): readonly string[] {
  const parts =
    known.get(pointer) ??
    pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  known.set(pointer, parts)
  return parts
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}
