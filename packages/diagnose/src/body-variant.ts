import type { Cause } from './finding.ts'
import type { JsonText } from './json-text.ts'
import type { Pace } from './pace.ts'

/** A body, and what can be read of it. */
export interface BodyText {
  readonly bytes: Uint8Array
  /** The body as text, a byte order mark included; `undefined` where it is not UTF-8. */
  readonly text: string | undefined
  readonly json: JsonText | undefined
}

/** What may have been signed in place of the body. */
export interface BodyVariant {
  /** Which form it is, where the cause has several. */
  readonly name?: string
  readonly bytes: Uint8Array | undefined
}

/** A way in which the body that was signed differs from the one that came. */
export interface BodyForm extends Cause {
  /** How many of its variants are common enough to be tried together with another cause. */
  readonly pairs?: number
  /** What costs more than a copy of the body is announced to `pace`, a step at a time. */
  variants(body: BodyText, pace: Pace): Iterable<BodyVariant> | AsyncIterable<BodyVariant>
}
