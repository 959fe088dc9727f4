import { describeValue, kindOf } from './describe.ts'
import { isPlainObject } from './record.ts'

/** Not by `instanceof`: with jsdom, a Buffer is a Uint8Array of another realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Reflect.get(value, Symbol.toStringTag) === 'Uint8Array'
}

/** What a value is that is not plain data, and what to pass instead. */
export function describeInstance(value: unknown): string {
  if (typeof value === 'bigint') return 'a bigint: pass it as text'
  if (typeof value !== 'object' || value === null || isPlainObject(value))
    return describeValue(value)
  if (Array.isArray(value)) return describeValue(value)
  const kind = kindOf(value)
  const instead = Object.hasOwn(INSTEAD, kind) ? INSTEAD[kind] : 'pass a plain object'
  return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}: ${instead}`
}

const ENTRIES = 'pass Object.fromEntries(it)'
const TEXT = 'pass its text, await new Response(it).text()'

const INSTEAD: Readonly<Record<string, string>> = {
  ArrayBuffer: 'pass new Uint8Array(it)',
  Blob: 'pass new Uint8Array(await it.arrayBuffer())',
  Date: 'pass its toISOString()',
  Error: 'pass what the service may see of it, such as { message }',
  FormData: ENTRIES,
  Headers: ENTRIES,
  Map: ENTRIES,
  Promise: 'await it first',
  ReadableStream: TEXT,
  Response: 'pass its text, await it.text()',
  Set: 'pass [...it]',
  Uint8Array: 'pass it as the whole body, or as text',
  URLSearchParams: ENTRIES,
}
