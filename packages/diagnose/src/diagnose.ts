import type { Diagnosis, Finding } from '@webhook-receiver/core'
import { attempts, type Material } from './attempts.ts'
import { type Evidence, MAX_HEADER, readEvidence } from './evidence.ts'
import { fieldsOf } from './fields.ts'
import { finding } from './finding.ts'
import type { DiagnosisInput } from './input.ts'
import { MAX_JSON, readJsonText } from './json-text.ts'
import { findOtherHash } from './other-hash.ts'
import { createPace, Exhausted, type Pace } from './pace.ts'
import { findPossible } from './possible-forms.ts'
import { createSearch, MAX_BODY, MAX_MESSAGE, type Search } from './search.ts'
import { type Claim, readClaims, SCHEME, TRUNCATED } from './signature-forms.ts'

const VALID: Finding = {
  code: 'valid',
  certainty: 'certain',
  message: 'The signature is right.',
  fix: 'Nothing is to be done about the signature.',
}
const UNKNOWN: Finding = {
  code: 'unknown',
  certainty: 'possible',
  message:
    'The signature fits none of the known causes: possibly the request is forged, or signed with a secret that is not at hand.',
  fix: 'Compare the fingerprint of the secret with that of the registered webhook; if they agree, take the request for forged.',
}

/** Where there is no body to compute anything over. */
const UNSEEN: Finding = {
  code: 'unknown',
  certainty: 'possible',
  message:
    'The headers alone do not show why the signature is refused: possibly the request is forged.',
  fix: 'Diagnose the request with its body, or take it for forged.',
}

/** What a bound kept from being tried, by what is above the bound. */
const LEFT_OUT = {
  header: (name: string) => `of ${name}, only the first ${MAX_HEADER} characters were looked at`,
  message: `the body has more than ${MAX_MESSAGE} bytes, so no signature was computed`,
  body: `the body has more than ${MAX_BODY} bytes, so it was not tried in other forms`,
  json: `the JSON has more than ${MAX_JSON} characters, so it was not written in every form`,
  work: 'the diagnosis had used up its budget',
}

/**
 * Says why a signature does not match, by computing what it would be for each known cause.
 *
 * Only a whole MAC that is equal makes a finding certain. The work is cut into steps of a few milliseconds, between
 * which other work gets its turn, and ends at `MAX_MACS` MACs, at `MAX_MAC_BYTES` bytes and at a budget for all of it.
 * JSON above `MAX_JSON` characters is not written in every form, a body above `MAX_BODY` bytes in none, and over one
 * above `MAX_MESSAGE` bytes nothing is computed. Where nothing fits and a bound was met, the finding is `unfinished`.
 *
 * @throws TypeError where there is no secret.
 *
 * @example
 * const [first] = await diagnose({ headers: request.headers, body, secrets: secret })
 * console.log(first.code, first.message, first.fix)
 */
export async function diagnose(input: DiagnosisInput): Promise<Diagnosis> {
  const pace = createPace()
  const evidence = await readEvidence(input, pace)
  const claims = readClaims(evidence.signatures)
  const { body, cut } = evidence
  const leftOut: string[] = cut.map(LEFT_OUT.header)
  if (input.body === undefined) {
    const found = [...shapes(claims), ...findPossible(evidence, false)]
    return orElse(found, leftOut, UNSEEN)
  }
  const secrets = secretsOf(input)
  if (body.length > MAX_MESSAGE) leftOut.push(LEFT_OUT.message)
  else if (claims.length > 0) {
    if (body.length > MAX_BODY) leftOut.push(LEFT_OUT.body)
    try {
      const material = await materialOf(input, secrets, evidence, pace)
      const search = createSearch(claims, pace)
      const found =
        (await findOtherHash(claims, material, search)) ?? (await firstFit(material, search, pace))
      if (found) return [found]
      if (isLongJson(material.body.text)) leftOut.push(LEFT_OUT.json)
    } catch (error) {
      if (!(error instanceof Exhausted)) throw error
      leftOut.push(LEFT_OUT.work)
    }
  }
  return orElse(findPossible(evidence, true), leftOut, UNKNOWN)
}

/** Goes by how the text begins: long text is not parsed. */
function isLongJson(text = ''): boolean {
  return text.length > MAX_JSON && /^\s*["[{]/.test(text.slice(0, 100))
}

function orElse(
  found: readonly Finding[],
  leftOut: readonly string[],
  otherwise: Finding,
): Diagnosis {
  const [first, ...others] = leftOut.length > 0 ? [...found, unfinished(leftOut)] : found
  return first ? [first, ...others] : [otherwise]
}

function unfinished(leftOut: readonly string[]): Finding {
  return {
    code: 'unfinished',
    certainty: 'possible',
    message: `Not diagnosed further: ${leftOut.join('; ')}. Nothing that was tried fits the signature.`,
    fix: 'Send a smaller request with the same mistake, and compare the fingerprint of the secret with that of the registered webhook.',
  }
}

async function firstFit(
  material: Material,
  search: Search,
  pace: Pace,
): Promise<Finding | undefined> {
  for await (const { key, message, assumptions, secretName } of attempts(material, pace)) {
    await search.spend(message.prefix.length + message.body.length)
    const claim = await search.fits(key, message)
    if (!claim) continue
    const { form } = claim
    const [first, second] = assumptions
    // A scheme brings its own message and key.
    if (form === SCHEME) return finding([{ cause: SCHEME }], 'certain', secretName)
    // Three causes at once are a coincidence of assumptions, not an explanation.
    if (form && second) continue
    const certainty = form === TRUNCATED ? 'possible' : 'certain'
    if (first) return finding([first, form ? { cause: form } : second], certainty, secretName)
    if (form) return finding([{ cause: form }], certainty, secretName)
    return secretName === undefined ? VALID : { ...VALID, secretName }
  }
  return undefined
}

/** Without a body there is only what the header looks like. */
function shapes(claims: readonly Claim[]): readonly Finding[] {
  const forms = new Set(claims.map(({ form }) => form))
  return [...forms].flatMap((cause) => (cause ? [finding([{ cause }], 'possible')] : []))
}

function secretsOf({ secrets }: DiagnosisInput): Material['secrets'] {
  const named =
    typeof secrets === 'string' ? [[undefined, secrets] as const] : Object.entries(secrets)
  const usable = named.filter(([, secret]) => secret !== '')
  if (usable.length === 0)
    throw new TypeError('`secrets` should hold at least one secret that is not empty.')
  return usable
}

async function materialOf(
  { otherSecrets = {}, apiKey }: DiagnosisInput,
  secrets: Material['secrets'],
  { body, text, timestamps, ids, signatures }: Evidence,
  pace: Pace,
): Promise<Material> {
  const hasMark = text?.startsWith('\uFEFF') ?? false
  const json =
    text === undefined ? undefined : await readJsonText(text.slice(Number(hasMark)), pace)
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
    // JSON.parse takes no byte order mark.
    body: { bytes: body, text, json: hasMark ? undefined : json },
    rewrites: body.length <= MAX_BODY,
  }
}
