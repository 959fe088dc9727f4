import type { Scheme } from '@webhook-receiver/core'
import { counted } from '../console/index.ts'
import type { Verdict } from './verdict.ts'

/** Where the diagnosis does not know what is wrong, but the same secret verified other requests: it need not be copied again. Of several, one may have verified them all. */
export function withVerifiedOthers(
  verdict: Verdict,
  verified: number,
  { secret }: Pick<Scheme, 'secret'>,
): Verdict {
  const [first] = (!verdict.valid && verdict.findings) || []
  const [whole, fingerprint] = / Secret fingerprint: (.*)\.$/.exec(first?.message ?? '') ?? []
  if (!first || !whole || !fingerprint || first.code !== 'unknown' || verified === 0) {
    return verdict
  }
  const others = `This secret (fingerprint ${fingerprint}) verified ${counted(verified, 'other')} here.`
  const several = secret?.several ? ` (${secret.several})` : ''
  const finding = {
    ...first,
    message: first.message.replace(whole, () => ` ${others}`),
    fix: `Find which secret signed it${several}, or what changed the body. If neither, treat the request as forged.`,
  }
  return { ...verdict, findings: [finding] }
}
