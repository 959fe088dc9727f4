import type { Finding } from '@webhook-receiver/core/internal'
import { type ContractInput, contractCandidates } from './contract-candidates.ts'
import { fieldsOf } from './fields.ts'
import { finding } from './finding.ts'
import { firstMatch, type Investigation, type SearchInput } from './investigation.ts'
import { readJsonText } from './json-text.ts'
import { findOtherHash } from './other-hash.ts'
import type { Pace } from './pace.ts'
import { findPossible, POSSIBLE_FORMS } from './possible-forms.ts'
import type { RequestParts } from './request-parts.ts'
import { createSearch } from './search.ts'
import { type ReceivedDigest, readDigests } from './signature-forms.ts'

const UNKNOWN: Finding = {
  code: 'unknown',
  certainty: 'possible',
  message:
    'No known cause leads to this signature: possibly the request is forged, or signed with another secret.',
  fix: 'Compare the fingerprint of the secret with that of the registered webhook; if they are equal, treat the request as forged.',
}

export function investigateContract(parts: RequestParts): Investigation {
  const digests = readDigests(parts.signatures)
  return {
    hasSignature: digests.length > 0,
    async search(input, pace) {
      const contractInput = await contractInputOf(input, parts, pace)
      const search = createSearch(digests, pace)
      return (
        (await findOtherHash(digests, contractInput, search)) ??
        (await firstMatch(contractCandidates(contractInput), search, pace))
      )
    },
    possible: (secrets) =>
      secrets
        ? findPossible(POSSIBLE_FORMS, parts)
        : [...formFindings(digests), ...findPossible(HEADER_FORMS, parts)],
    unknown: UNKNOWN,
  }
}

const HEADER_FORMS = POSSIBLE_FORMS.filter(({ code }) => !code.startsWith('body_'))

/** What the form of the header says; without a body there is nothing else. */
function formFindings(digests: readonly ReceivedDigest[]): readonly Finding[] {
  const forms = new Set(digests.map(({ form }) => form))
  return [...forms].flatMap((cause) => (cause ? [finding([{ cause }], 'possible')] : []))
}

async function contractInputOf(
  input: SearchInput,
  { timestamps, ids, signatures }: RequestParts,
  pace: Pace,
): Promise<ContractInput> {
  const { text, json } = input.body
  const hasByteOrderMark = text?.startsWith('\uFEFF') ?? false
  const readable = hasByteOrderMark ? await readJsonText(text?.slice(1) ?? '', pace) : json
  const { id, created_at, timestamp } = await fieldsOf(readable, pace)
  return {
    ...input,
    timestamp: timestamps.length === 1 ? timestamps[0] : undefined,
    timestamps: {
      lines: timestamps,
      inBody: [created_at, timestamp].filter((value) => value !== undefined),
      inSignature: signatures.flatMap((line) => /(?:^|[,\s])t=(\d+)/.exec(line)?.[1] ?? []),
    },
    ids: [...new Set([...ids, ...(id === undefined ? [] : [id])])],
  }
}
