import type { MacKey } from '../verify/mac.ts'
import type { Scheme } from '../verify/scheme.ts'
import { writeEnvelope } from './envelope.ts'
import type { ContractKind } from './event.ts'
import { sampleContent } from './sample.ts'
import { contract as received } from './scheme.ts'
import { sign } from './sign.ts'
import { VALUE } from './value.ts'

/**
 * The contract with all that a scheme can have. Receivers do without what only tools and tests need, so that
 * bundlers leave it out: they cannot do that with a spread.
 */
export const contract: Scheme<MacKey, ContractKind> = /* @__PURE__ */ Object.assign({}, received, {
  value: VALUE,
  compose: (data, parts) =>
    new TextEncoder().encode(JSON.stringify(writeEnvelope(parts.event, { ...data }, parts))),
  sign,
  sample: sampleContent,
} satisfies Partial<Scheme<MacKey, ContractKind>>)
