import type { Diagnosis, Finding } from '@webhook-receiver/core'
import { attempts, type SearchInput } from './attempts.ts'
import { fieldsOf } from './fields.ts'
import { finding } from './finding.ts'
import type { DiagnosisInput } from './input.ts'
import { MAX_JSON, readJsonText } from './json-text.ts'
import { findOtherHash } from './other-hash.ts'
import { createPace, OverBudget, type Pace } from './pace.ts'
import { findPossible } from './possible-forms.ts'
import { MAX_HEADER, type RequestParts, readRequest } from './request-parts.ts'
import { createSearch, MAX_BODY, MAX_MESSAGE, type Search } from './search.ts'
import { type ReceivedDigest, readDigests, SCHEME, TRUNCATED } from './signature-forms.ts'

const VALID: Finding = {
  code: 'valid',
  certainty: 'certain',
  message: 'The signature is valid.',
  fix: 'The signature needs no fix.',
}
const UNKNOWN: Finding = {
  code: 'unknown',
  certainty: 'possible',
  message:
    'No known cause leads to this signature: possibly the request is forged, or signed with another secret.',
  fix: 'Compare the fingerprint of the secret with that of the registered webhook; if they are equal, treat the request as forged.',
}

/** Where there is no body to compute a MAC over. */
const WITHOUT_BODY: Finding = {
  code: 'unknown',
  certainty: 'possible',
  message:
    'The headers alone do not show why the signature is refused: possibly the request is forged.',
  fix: 'Diagnose the request with its body, or treat it as forged.',
}

/** What was not tried because of a bound, by what is above the bound. */
const SKIPPED = {
  header: (name: string) => `only the first ${MAX_HEADER} characters of ${name} were read`,
  message: `the body has more than ${MAX_MESSAGE} bytes, so no signature was computed`,
  body: `the body has more than ${MAX_BODY} bytes, so it was not tried in other forms`,
  json: `the JSON has more than ${MAX_JSON} characters, so it was not written in every form`,
  work: 'the diagnosis had used all of its budget',
}

/**
 * Says why a signature does not match, by computing what it would be for each known cause.
 *
 * A finding is certain only where a whole MAC is equal. The work is cut into steps of a few milliseconds, between
 * which other work gets its turn, and ends at `MAX_MACS` MACs, at `MAX_MAC_BYTES` bytes and at a budget for all of it.
 * JSON above `MAX_JSON` characters is not written in every form, a body above `MAX_BODY` bytes in none, and over one
 * above `MAX_MESSAGE` bytes nothing is computed. Where nothing matches and a bound was reached, the finding is `unfinished`.
 *
 * @throws TypeError where there is no secret.
 *
 * @example
 * const [first] = await diagnose({ headers: request.headers, body, secrets: secret })
 * console.log(first.code, first.message, first.fix)
 */
export async function diagnose(input: DiagnosisInput): Promise<Diagnosis> {
  const pace = createPace()
  const parts = await readRequest(input, pace)
  const digests = readDigests(parts.signatures)
  const { body, cut } = parts
  const skipped: string[] = cut.map(SKIPPED.header)
  if (input.body === undefined) {
    const found = [...formFindings(digests), ...findPossible(parts, false)]
    return withFallback(found, skipped, WITHOUT_BODY)
  }
  const secrets = secretsOf(input)
  if (body.length > MAX_MESSAGE) skipped.push(SKIPPED.message)
  else if (digests.length > 0) {
    if (body.length > MAX_BODY) skipped.push(SKIPPED.body)
    try {
      const searchInput = await searchInputOf(input, secrets, parts, pace)
      const search = createSearch(digests, pace)
      const found =
        (await findOtherHash(digests, searchInput, search)) ??
        (await firstMatch(searchInput, search, pace))
      if (found) return [found]
      if (isLongJson(searchInput.body.text)) skipped.push(SKIPPED.json)
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error
      skipped.push(SKIPPED.work)
    }
  }
  return withFallback(findPossible(parts, true), skipped, UNKNOWN)
}

/** Looks at the beginning of the text only: long text is not parsed. */
function isLongJson(text = ''): boolean {
  return text.length > MAX_JSON && /^\s*["[{]/.test(text.slice(0, 100))
}

function withFallback(
  found: readonly Finding[],
  skipped: readonly string[],
  otherwise: Finding,
): Diagnosis {
  const [first, ...others] = skipped.length > 0 ? [...found, unfinished(skipped)] : found
  return first ? [first, ...others] : [otherwise]
}

function unfinished(skipped: readonly string[]): Finding {
  return {
    code: 'unfinished',
    certainty: 'possible',
    message: `Not diagnosed further: ${skipped.join('; ')}. Nothing that was tried matches the signature.`,
    fix: 'Send a smaller request with the same mistake, and compare the fingerprint of the secret with that of the registered webhook.',
  }
}

async function firstMatch(
  input: SearchInput,
  search: Search,
  pace: Pace,
): Promise<Finding | undefined> {
  for await (const { key, message, assumptions, secretName } of attempts(input, pace)) {
    await search.spend(message.prefix.length + message.body.length)
    const match = await search.match(key, message)
    if (!match) continue
    const { form } = match
    const [first, second] = assumptions
    // Another scheme has its own message and key.
    if (form === SCHEME) return finding([{ cause: SCHEME }], 'certain', secretName)
    // Three causes at once are more likely a coincidence.
    if (form && second) continue
    const certainty = form === TRUNCATED ? 'possible' : 'certain'
    if (first) return finding([first, form ? { cause: form } : second], certainty, secretName)
    if (form) return finding([{ cause: form }], certainty, secretName)
    return secretName === undefined ? VALID : { ...VALID, secretName }
  }
  return undefined
}

/** What the form of the header says; without a body there is nothing else. */
function formFindings(digests: readonly ReceivedDigest[]): readonly Finding[] {
  const forms = new Set(digests.map(({ form }) => form))
  return [...forms].flatMap((cause) => (cause ? [finding([{ cause }], 'possible')] : []))
}

function secretsOf({ secrets }: DiagnosisInput): SearchInput['secrets'] {
  const named =
    typeof secrets === 'string' ? [[undefined, secrets] as const] : Object.entries(secrets)
  const usable = named.filter(([, secret]) => secret !== '')
  if (usable.length === 0)
    throw new TypeError('`secrets` should hold at least one secret that is not empty.')
  return usable
}

async function searchInputOf(
  { otherSecrets = {}, apiKey }: DiagnosisInput,
  secrets: SearchInput['secrets'],
  { body, text, timestamps, ids, signatures }: RequestParts,
  pace: Pace,
): Promise<SearchInput> {
  const hasByteOrderMark = text?.startsWith('\uFEFF') ?? false
  const json =
    text === undefined ? undefined : await readJsonText(text.slice(Number(hasByteOrderMark)), pace)
  const { id, created_at, timestamp } = await fieldsOf(json, pace)
  return {
    secrets,
    others: Object.entries(otherSecrets),
    apiKey,
    timestamp: timestamps.length === 1 ? timestamps[0] : undefined,
    timestamps: {
      lines: timestamps,
      inBody: [created_at, timestamp].filter((value) => value !== undefined),
      inSignature: signatures.flatMap((line) => /(?:^|[,\s])t=(\d+)/.exec(line)?.[1] ?? []),
    },
    ids: [...new Set([...ids, ...(id === undefined ? [] : [id])])],
    // JSON.parse accepts no byte order mark.
    body: { bytes: body, text, json: hasByteOrderMark ? undefined : json },
    tryBodyForms: body.length <= MAX_BODY,
  }
}
