import type { Finding } from '@webhook-receiver/core/internal'

/** A cause that a finding can name. */
export interface Cause {
  /** docs/reference/diagnosis-codes.md has a row for it. */
  readonly code: string
  /** Continues a sentence that begins with "The signature"; `{form}` is replaced by the form that was found. */
  readonly what: string
  readonly fix: string
  /** Whether it is tried together with another cause. */
  readonly pairs?: boolean | number | undefined
}

/** A cause that is assumed, and in which form. */
export interface Assumption {
  readonly cause: Cause
  readonly form?: string | undefined
}

/** The fault behind a signature that matches something else, by how the code begins. */
const FAULTS: Readonly<Record<string, string>> = {
  body: 'The body was changed',
  message: 'Signed in another way',
  secret: 'Signed with another key',
  timestamp: 'The timestamp was changed',
  url: 'Signed for another URL',
}

/** The finding for one or two assumptions under which the signature matches. */
export function finding(
  [first, second]: readonly [Assumption, (Assumption | undefined)?],
  certainty: Finding['certainty'],
  secretName?: string | undefined,
): Finding {
  const assumptions = second ? [first, second] : [first]
  const what = assumptions.map(({ cause, form = '' }) => cause.what.replace('{form}', form))
  const doubt = certainty === 'possible' ? ', which is possibly the cause' : ''
  const fault = /^matches /.test(first.cause.what) && FAULTS[first.cause.code.replace(/_.*/, '')]
  const start = fault ? `${fault}: the` : 'The'
  return {
    code: first.cause.code,
    certainty,
    message: `${start} signature ${what.join(', and ')}${doubt}.`,
    fix: assumptions.map(({ cause }) => cause.fix).join(' '),
    ...(second && { also: second.cause.code }),
    ...(secretName !== undefined && { secretName }),
  }
}
