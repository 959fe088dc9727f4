import type { Handshake } from '@webhook-receiver/core'
import type { SchemeValue } from '../value.ts'
import { encode } from './encoding.ts'
import type { Key, Method } from './method.ts'
import { readPointer } from './place.ts'

/** Makes the function that recognises a handshake in a parsed body. */
export type Handshakes = (
  value: SchemeValue,
  methods: readonly Method[],
) => (data: object, key: Key) => Promise<Handshake> | undefined

type HandshakeForm = NonNullable<SchemeValue['handshakes']>[number]

/** Responds to handshakes, for the schemes that have them. */
export const handshakes: Handshakes = ({ handshakes: declared = [], signature }, methods) => {
  async function respond(
    { name, response: { status, headers: given, echo, json } }: HandshakeForm,
    data: object,
    key: Key,
  ): Promise<Handshake> {
    const found = echo === undefined ? undefined : readPointer(echo, data)
    const text = typeof found === 'string' ? found : undefined
    // Without one, some servers write a type of their own, and others none, so that a browser guesses.
    const type = json ? 'application/json' : 'text/plain; charset=utf-8'
    const headers = given ?? (echo || json ? { 'content-type': type } : undefined)
    if (!json) return { name, response: { status, headers, body: text } }
    // Anything else could be what a delivery signs, and its MAC a signature.
    const token = text !== undefined && /^[\w+/=-]+$/.test(text) ? text : undefined
    const content = token && { prefix: token, rest: new Uint8Array() }
    const mac = content && (await methods[key.index]?.sign?.(key.handle, content))
    const written = Object.entries(json).map(([member, part]) => [
      member,
      part === 'echo' ? text : part === 'mac' ? mac && encode(signature.encoding, mac) : part,
    ])
    return {
      name,
      response: { status, headers, body: JSON.stringify(Object.fromEntries(written)) },
    }
  }

  return (data, key) => {
    const handshake = declared.find(({ when }) =>
      Object.entries(when).every(([pointer, value]) => readPointer(pointer, data) === value),
    )
    return handshake && respond(handshake, data, key)
  }
}
