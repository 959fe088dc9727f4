import type { Scheme, SchemeKind, SignableParts } from '@webhook-receiver/core'
import type { SchemeValue } from '../value.ts'
import { signedBy } from './keys.ts'
import { neighbourScheme, schemeValueOf } from './made.ts'
import { exampleOf, type Mistake, type Sent, sentOf } from './mistake.ts'
import { SIGNATURE_MISTAKES } from './signature.ts'
import { SIGNED_MISTAKES } from './signed.ts'
import { TIME_MISTAKES } from './time.ts'

/** The mistakes that a sender can make with the right secret. */
export const SIGNING_MISTAKES: readonly Mistake[] = [
  ...SIGNED_MISTAKES,
  ...SIGNATURE_MISTAKES,
  ...TIME_MISTAKES,
]

type Headers = Readonly<Record<string, string>>

/**
 * The headers that a sender sends that makes a mistake: those of the service, with what a neighbour of its value writes in another way.
 * `undefined` where there is no such neighbour.
 *
 * @param choose the neighbour, by what the service sends.
 * @param keyOf imports the secret, for the scheme or for its neighbour, which may make another key of it.
 */
export async function signWrong(
  scheme: Scheme,
  choose: (value: SchemeValue, sent: Sent) => SchemeValue | undefined,
  keyOf: (by: Scheme) => unknown,
  body: Uint8Array,
  parts: SignableParts,
): Promise<Headers | undefined> {
  const signed = async (by: Scheme) => (await by.sign?.(await keyOf(by), body, parts)) ?? {}
  const right = await signed(scheme)
  const value = schemeValueOf(scheme)
  const names = new Map(Object.keys(right).map((name) => [name.toLowerCase(), name]))
  const header = (name: string) => right[names.get(name) ?? '']
  const neighbour = value && choose(value, sentOf(value, header, scheme.idHeader))
  if (!neighbour) return undefined
  // A neighbour may need another secret than this one, or a header that the service does not send: then nobody can sign by it.
  const made = await signed(neighbourScheme(neighbour)).catch(() => undefined)
  if (!made) return undefined
  const wrong = Object.entries(made)
  return {
    ...right,
    ...Object.fromEntries(wrong.map(([name, text]) => [names.get(name) ?? name, text])),
  }
}

/**
 * A scheme whose deliveries are signed with a mistake, for a test that a receiver rejects them: `mistake` is a code of docs/reference/diagnosis-codes.md.
 *
 * @throws TypeError that lists the mistakes that a sender of this service can make, where it is none of them.
 *
 * @example
 * await deliverTo(app, 'invoice.paid', data, { scheme: withMistake(stripe, 'message_body_alone') })
 */
export function withMistake<Key, Kind extends SchemeKind>(
  scheme: Scheme<Key, Kind>,
  mistake: string,
): Scheme<Key, Kind> {
  const value = schemeValueOf(scheme)
  const possible = value && scheme.sign ? mistakesOf(value) : []
  const found = possible.find(({ code }) => code === mistake)
  if (!found) {
    const codes = possible.map(({ code }) => code).join(', ')
    throw new TypeError(
      `A sender of ${scheme.name} cannot make the mistake ${JSON.stringify(mistake)}. There are: ${codes || 'none'}.`,
    )
  }
  // A neighbour may make another key of the secret.
  const secrets = new WeakMap<object, string>()
  return {
    ...scheme,
    async importKey(secret, label, use) {
      const key = await scheme.importKey(secret, label, use)
      secrets.set(Object(key), secret)
      return key
    },
    async sign(key, body, parts) {
      const secret = secrets.get(Object(key)) ?? ''
      const keyOf = (by: Scheme) =>
        by === scheme ? key : by.importKey(secret, 'The secret', 'sign')
      const first = (of: SchemeValue, sent: Sent) => [...found.neighbours(of, sent)][0]?.value
      const made = await signWrong(signedBy(scheme, secret), first, keyOf, body, parts)
      if (made) return made
      throw new TypeError(`Nothing in this delivery can have the mistake ${mistake}.`)
    },
  }
}

/** Those that a sender of this service can make. */
export function mistakesOf(value: SchemeValue): readonly Mistake[] {
  const sent = exampleOf(value)
  return SIGNING_MISTAKES.filter(({ neighbours }) => [...neighbours(value, sent)].length > 0)
}
