import type { Scheme } from '@webhook-receiver/core'
import { thenMaybeAsync } from '@webhook-receiver/core/internal'
import { digitsOf, encode } from '../engine/encoding.ts'
import { forms } from '../engine/form.ts'
import { type Method, methodOf as methodFor } from '../engine/method.ts'
import { methods } from '../engine/methods.ts'
import { privateKeys } from '../engine/private-keys.ts'
import { urls } from '../engine/urls.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import type { KeyForm, SchemeValue } from '../value.ts'

/** The scheme of a neighbour, which may be one that `defineScheme` refuses: it is only tried. */
export function neighbourScheme(value: SchemeValue): DefinedScheme {
  return schemeOf(value, { forms, methods, privateKeys, urls }) as DefinedScheme
}

/** The fewest bits of a signature that show of which MAC it is the beginning. */
const SHORTEST = 64

/** A scheme that takes the beginning of a signature for the whole: it is only tried. */
export function cutScheme(value: SchemeValue): DefinedScheme {
  const { encoding } = value.signature
  const fewest = SHORTEST / (encoding === 'hex' ? 4 : 6)
  const methodOf = (key: KeyForm): Method => {
    const whole = methodFor(key, encoding, methods)
    const { length = Number.POSITIVE_INFINITY } = whole
    const all = digitsOf(encoding, length)
    return {
      ...whole,
      read: (text) => (text.length >= fewest && text.length < all ? text : undefined),
      verify: (handle, content, signatures) =>
        thenMaybeAsync(
          whole.sign(handle, content),
          (made) =>
            made !== undefined &&
            signatures.some((one) => encode(encoding, made).startsWith(`${one}`)),
        ),
    }
  }
  return schemeOf(value, { forms, methodOf, methods, urls }) as DefinedScheme
}

/** The value of a scheme, if it was made from one. */
export function schemeValueOf(scheme: Scheme): SchemeValue | undefined {
  // Of the two packages that make schemes, each says that its value has this form.
  return scheme.value as SchemeValue | undefined
}
