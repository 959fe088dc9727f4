import { gzipSync } from 'node:zlib'

/** Writes a delivery as different JSON writers do, or as none. */
export type JsonFormat = (delivery: object) => string | Buffer

/** As `JSON.stringify` writes it, and so does a receiver that serialises parsed JSON again. */
export function compact(delivery: object): string {
  return JSON.stringify(delivery)
}

export const indented: JsonFormat = (delivery) => JSON.stringify(delivery, null, 2)

/** A space after each comma and colon, nothing beyond ASCII: the default of Python's json module. */
export const spaced: JsonFormat = (delivery) =>
  // JSON strings hold no raw line feed, so each one is the writer's own.
  ascii(JSON.stringify(delivery, null, 1).replace(/,\n */g, ', ').replace(/\n */g, ''))

/** Slashes and all beyond ASCII escaped: the default of PHP's json_encode. */
export const escaped: JsonFormat = (delivery) => ascii(compact(delivery).replaceAll('/', '\\/'))

/** The keys in reverse order at every depth, and two integer keys, which JavaScript would move to the front. */
export const reversed: JsonFormat = (delivery) =>
  compact(reverse(delivery)).replace(/\}$/, ',"10":"ten","2":"two"}')

/** Numbers that lose their format in JavaScript, in another property of the delivery. */
export const numbers: JsonFormat = (delivery) =>
  compact(delivery).replace(/\}$/, ',"numbers":[1.0,1e2,-0,12345678901234567890]}')

export const withNewline: JsonFormat = (delivery) => `${compact(delivery)}\n`

/** Cut off in the middle. */
export const cutOff: JsonFormat = (delivery) => compact(delivery).slice(0, -9)

export const gzipped: JsonFormat = (delivery) => gzipSync(compact(delivery))

function ascii(text: string): string {
  return text.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function reverse(value: unknown): object {
  const isObject = (entry: unknown) => Object.prototype.toString.call(entry) === '[object Object]'
  const entries = Object.entries(Object(value)).reverse()
  return Object.fromEntries(
    entries.map(([key, entry]) => [key, isObject(entry) ? reverse(entry) : entry]),
  )
}
