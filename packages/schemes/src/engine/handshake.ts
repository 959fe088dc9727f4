import type { Handshake, HeaderLookup } from '@webhook-receiver/core'
import type { SchemeValue } from '../value.ts'
import { encode } from './encoding.ts'
import type { Key, Method } from './method.ts'
import { readPointer, withoutPointer } from './place.ts'

/** Makes the function that recognises a handshake in a parsed body. */
export type Handshakes = (
  value: SchemeValue,
  methods: readonly Method[],
) => (data: object, key: Key, header: HeaderLookup) => Promise<Handshake> | undefined

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
    const mac = content && (await methods[key.index]?.sign(key.handle, content))
    const written = Object.entries(json).map(([member, part]) => [
      member,
      part === 'echo' ? text : part === 'mac' ? mac && encode(signature.encoding, mac) : part,
    ])
    return {
      name,
      response: { status, headers, body: JSON.stringify(Object.fromEntries(written)) },
    }
  }

  return (data, key, header) => {
    const handshake = declared.find((one) => isHandshake(one, data, header))
    return handshake && respond(handshake, data, key)
  }
}

function isHandshake(
  { when, begins, exactly, response: { echo } }: HandshakeForm,
  data: object,
  header: HeaderLookup,
): boolean {
  const pointers = Object.keys(when)
  return (
    pointers.every((pointer) => readPointer(pointer, data) === when[pointer]) &&
    (!begins || header(begins.header)?.startsWith(begins.text) === true) &&
    (!exactly || hasOnly(data, echo === undefined ? pointers : [...pointers, echo], echo))
  )
}

/** Whether an object has nothing but these values, and a text at one of them. */
function hasOnly(data: object, pointers: readonly string[], echo: string | undefined): boolean {
  if (echo !== undefined && typeof readPointer(echo, data) !== 'string') return false
  const rest = pointers.reduce<unknown>((left, pointer) => withoutPointer(pointer, left), data)
  return Object.keys(Object(rest)).length === 0
}
