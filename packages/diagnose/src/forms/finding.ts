import type { Finding } from '@webhook-receiver/core/internal'

/** A cause that a finding can name. */
export interface Cause {
  /** docs/diagnosis.md has a row for it. */
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

/** The finding for one or two assumptions under which the signature matches. */
export function finding(
  [first, second]: readonly [Assumption, (Assumption | undefined)?],
  certainty: Finding['certainty'],
  secretName?: string | undefined,
): Finding {
  const assumptions = second ? [first, second] : [first]
  const what = assumptions.map(({ cause, form = '' }) => cause.what.replace('{form}', form))
  const doubt = certainty === 'possible' ? ', which is possibly the cause' : ''
  return {
    code: first.cause.code,
    certainty,
    message: `The signature ${what.join(', and ')}${doubt}.`,
    fix: assumptions.map(({ cause }) => cause.fix).join(' '),
    ...(second && { also: second.cause.code }),
    ...(secretName !== undefined && { secretName }),
  }
}
