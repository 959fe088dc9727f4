import type { Scheme } from '@webhook-receiver/core'
import { counted } from '../console/index.ts'
import type { Verdict } from './verdict.ts'

/** Where the diagnosis does not know what is wrong, but the same secrets verified other requests: they need not be copied again. */
export function withVerifiedOthers(
  verdict: Verdict,
  verified: number,
  { secret }: Pick<Scheme, 'secret'>,
): Verdict {
  const [first] = (!verdict.valid && verdict.findings) || []
  const [whole, fingerprints] = / Secret fingerprints?: (.*)\.$/.exec(first?.message ?? '') ?? []
  if (!first || !whole || !fingerprints || first.code !== 'unknown' || verified === 0) {
    return verdict
  }
  const these = fingerprints.includes(',')
    ? 'These secrets (fingerprints'
    : 'This secret (fingerprint'
  const others = `${these} ${fingerprints}) verified ${counted(verified, 'other')} here.`
  const several = secret?.several ? ` (${secret.several})` : ''
  const finding = {
    ...first,
    message: first.message.replace(whole, () => ` ${others}`),
    fix: `Find which secret signed it${several}, or what changed the body. If neither, treat the request as forged.`,
  }
  return { ...verdict, findings: [finding] }
}
