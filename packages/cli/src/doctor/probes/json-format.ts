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
