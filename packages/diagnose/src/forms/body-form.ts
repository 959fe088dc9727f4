import type { JsonText } from '../text/json-text.ts'
import type { Pace } from '../text/pace.ts'
import type { Cause } from './finding.ts'

/** A body, and what it can be read as. */
export interface BodyText {
  readonly bytes: Uint8Array
  /** The body as text, a byte order mark included; `undefined` where it is not UTF-8. */
  readonly text: string | undefined
  readonly json: JsonText | undefined
}

/** The beginning of advice on a body that was changed on its way; what was done to it follows. */
export const AS_RECEIVED =
  'Give the receiver the bytes as received: something between it and the sender'

/** What may have been signed in place of the body. */
export interface BodyVariant {
  /** Which form it is, where the cause has several. */
  readonly name?: string
  readonly bytes: Uint8Array | undefined
}

/** A way in which the body that was signed differs from the one that came. */
export interface BodyForm extends Cause {
  /** How many of its variants are tried together with another cause; only common ones are. */
  readonly pairs?: number
  /** Each step that costs more than a copy of the body is announced to `pace` first. */
  variants(body: BodyText, pace: Pace): Iterable<BodyVariant> | AsyncIterable<BodyVariant>
}
