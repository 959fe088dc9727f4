import type { Handshake } from '@webhook-receiver/core/adapter'
import type { SchemeValue } from '../value.ts'
import { readPointer } from './place.ts'

/** Makes the function that recognises a handshake in a parsed body; `undefined` if the service has none. */
export function handshakeOf({
  handshakes,
}: SchemeValue): ((data: () => object) => Handshake | undefined) | undefined {
  if (!handshakes) return undefined
  return (data) => {
    const body = data()
    const found = handshakes.find(({ when }) =>
      Object.entries(when).every(([pointer, value]) => readPointer(pointer, body) === value),
    )
    if (!found) return undefined
    const { status, headers, echo } = found.response
    const text = echo === undefined ? undefined : readPointer(echo, body)
    const echoed = typeof text === 'string' ? text : undefined
    return { name: found.name, response: { status, headers, body: echoed } }
  }
}
