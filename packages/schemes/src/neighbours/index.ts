// For our own packages and tools. A change of it is never a breaking change.
import type { Scheme } from '@webhook-receiver/core'
import { checkScheme } from '../engine/check.ts'
import { forms } from '../engine/form.ts'
import { methods } from '../engine/methods.ts'
import { urls } from '../engine/urls.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import type { SchemeValue } from '../value.ts'

export { headerAt, namesOf } from '../engine/place.ts'
export type { SchemeValue } from '../value.ts'
export { otherDigest, withDigests } from './digest.ts'
export {
  type Mistake,
  type Neighbour,
  type Sent,
  sentenceOf,
  sentOf,
  timestampHeader,
  withTimestamp,
} from './mistake.ts'
export { SIGNATURE_MISTAKES } from './signature.ts'
export { SIGNED_MISTAKES } from './signed.ts'
export { TIME_MISTAKES } from './time.ts'
export { WRITTEN_MISTAKES, type WrittenMistake } from './written.ts'

/** The scheme of a neighbour, which may be one that `defineScheme` refuses: it is only tried. */
export function neighbourScheme(value: SchemeValue): DefinedScheme {
  return schemeOf(value, { forms, methods, urls }) as DefinedScheme
}

/** Why `defineScheme` would refuse a neighbour; `undefined` where it would not. */
export function refusalOf(value: SchemeValue): string | undefined {
  try {
    checkScheme(value)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The value of a scheme, if it was made from one. */
export function schemeValueOf(scheme: Scheme): SchemeValue | undefined {
  // Of the two packages that make schemes, each says that its value has this form.
  return scheme.value as SchemeValue | undefined
}
