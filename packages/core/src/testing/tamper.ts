import { checkValue } from '../validate/check-options.ts'
import { oneOf } from '../validate/rule.ts'

/** A change to a delivery after which a receiver must reject it. */
export type Tampering =
  /** One letter of the body is changed after it was signed. */
  | 'alter'
  /** Signed with another secret. */
  | 'wrong-secret'
  /** Signed a day ago. */
  | 'stale'
  /** Signed a day from now. */
  | 'future'

/** What is different about a delivery. */
export interface Changes {
  /** Put behind the secret. */
  readonly suffix: string
  /** Seconds from the clock. */
  readonly skew: number
  /** Applied to what was signed. */
  readonly rewrite: (body: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
}

const DAY = 86_400

const NONE: Changes = { suffix: '', skew: 0, rewrite: (body) => body }

const TAMPERINGS: readonly Tampering[] = ['alter', 'wrong-secret', 'stale', 'future']

const CHANGES: { readonly [Name in Tampering]: Changes } = {
  alter: { ...NONE, rewrite: alterLastTime },
  'wrong-secret': { ...NONE, suffix: '-of-another' },
  stale: { ...NONE, skew: -DAY },
  future: { ...NONE, skew: DAY },
}

/** @throws TypeError for a name that is none. */
export function changesFor(tamper: Tampering | undefined): Changes {
  if (tamper === undefined) return NONE
  return CHANGES[checkValue('tamper', tamper, oneOf(TAMPERINGS))]
}

/** The Z of the last time in lower case: the body keeps its length and remains text. */
function alterLastTime(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return body.with(body.lastIndexOf(0x5a), 0x7a)
}
