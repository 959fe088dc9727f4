import { isAsync, uncallable } from './callable.ts'
import { isPlainObject } from './record.ts'

/** A text in quotes, without marks that a terminal or a reader would obey instead of seeing them. */
export function inQuotes(text: string): string {
  const escaped = (mark: string) => `\\u{${mark.codePointAt(0)?.toString(16)}}`
  return JSON.stringify(shortened(text)).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)
}

/** A value as an error message shows it: what was written, in up to 100 characters, or its kind. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return inQuotes(value)
  if (Array.isArray(value)) return describeList(value)
  if (typeof value === 'function')
    return uncallable(value) ?? (isAsync(value) ? 'an async function' : 'a function')
  return typeof value === 'object' && value !== null ? describeObject(value) : String(value)
}

/** The kind of a value, for a value that must not be shown. */
export function describeKind(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (value === '') return 'an empty string'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return (typeof value === 'function' && uncallable(value)) || `a ${typeof value}`
}

/** What an error says, which for one of `fetch` is in its cause: itself it says only that it failed. */
export function describeError(error: Error): string {
  // Anything can be a cause.
  const { message } = error
  if (message !== 'fetch failed') return message
  const { cause } = error as { readonly cause?: Partial<Record<string, unknown>> }
  // With several addresses, its cause is an AggregateError, whose message is empty.
  const reason = cause?.message || cause?.code
  return reason ? `${message}: ${reason}` : message
}

function describeObject(value: object): string {
  try {
    return isPlainObject(value) ? 'an object' : `an instance of ${kindOf(value)}`
  } catch {
    // A Proxy can throw when it is looked at, and this must still say what to write instead.
    return 'an object'
  }
}

/** The name of its class. */
export function kindOf(value: object): string {
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  const { name } = Object(Reflect.get(value, 'constructor'))
  return kind === 'Object' && typeof name === 'string' ? name : kind
}

function describeList(values: readonly unknown[]): string {
  if (values.some((value) => Object(value) === value)) return 'an array'
  return shortened(`[${values.map(describeValue).join(', ')}]`)
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
