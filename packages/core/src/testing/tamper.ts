/** What can be done to a delivery so that a receiver has to refuse it. */
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

const CHANGES: { readonly [Name in Tampering]: Changes } = {
  alter: { ...NONE, rewrite: flipLastLetter },
  'wrong-secret': { ...NONE, suffix: '-of-another' },
  stale: { ...NONE, skew: -DAY },
  future: { ...NONE, skew: DAY },
}

/** @throws TypeError for a name that is none. */
export function changesFor(tamper: Tampering | undefined): Changes {
  if (tamper === undefined) return NONE
  if (Object.hasOwn(CHANGES, tamper)) return CHANGES[tamper]
  throw new TypeError(`\`tamper\` should be one of: ${Object.keys(CHANGES).join(', ')}.`)
}

/** Another case of the last letter: the body keeps its length and remains text. */
function flipLastLetter(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const last = body.findLastIndex((byte) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a)
  return body.map((byte, index) => (index === last ? byte ^ 0x20 : byte))
}
