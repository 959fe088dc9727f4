import { randomUUID } from 'node:crypto'

/** The key of a new delivery. */
export function newKey() {
  // As it comes out of a body: randomUUID alone returns a string of twenty pieces, with 600 bytes.
  const { id } = JSON.parse(JSON.stringify({ id: randomUUID() }))
  return `default:${id}`
}
