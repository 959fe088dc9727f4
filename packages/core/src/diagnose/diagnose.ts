import { attempts, type Material } from './attempts.ts'
import type { Diagnosis, DiagnosisInput, Finding } from './diagnosis.ts'
import { finding } from './diagnosis.ts'
import { textOf } from './encodings.ts'
import { type Evidence, readEvidence } from './evidence.ts'
import { readJson } from './json-forms.ts'
import { findOtherHash } from './other-hash.ts'
import { findPossible } from './possible-forms.ts'
import { createSearch, MAX_BODY, type Search } from './search.ts'
import { type Claim, readClaims, SCHEME, TRUNCATED } from './signature-forms.ts'

/** The longest field of the body that is tried as an id or a timestamp, in characters. */
const MAX_FIELD = 200

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

/**
 * Says why a signature does not match, by computing what it would be for each known cause.
 *
 * Only a whole MAC that is equal makes a finding certain. At most `MAX_MACS` MACs over `MAX_MAC_BYTES`
 * bytes are computed. JSON above `MAX_JSON` characters is not written in every form, and a body above
 * `MAX_BODY` bytes in none.
 *
 * @throws TypeError where there is no secret.
 *
 * @example
 * const [first] = await diagnose({ headers: request.headers, body, secrets: secret })
 * console.log(first.code, first.message, first.fix)
 */
export async function diagnose(input: DiagnosisInput): Promise<Diagnosis> {
  const evidence = readEvidence(input)
  const claims = readClaims(evidence.signatures)
  if (input.body === undefined) {
    return orElse([...shapes(claims), ...findPossible(evidence, false)], UNSEEN)
  }
  const material = materialOf(input, evidence)
  const search = createSearch(claims)
  const found =
    claims.length === 0
      ? undefined
      : ((await findOtherHash(claims, material, search)) ?? (await firstFit(material, search)))
  return found ? [found] : orElse(findPossible(evidence, true), UNKNOWN)
}

function orElse([first, ...others]: readonly Finding[], otherwise: Finding): Diagnosis {
  return first ? [first, ...others] : [otherwise]
}

async function firstFit(material: Material, search: Search): Promise<Finding | undefined> {
  for await (const { key, message, assumptions, secretName } of attempts(material)) {
    if (!(await search.spend(message.prefix.length + message.body.length))) return undefined
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

function materialOf(input: DiagnosisInput, evidence: Evidence): Material {
  const { body, timestamps, ids, signatures } = evidence
  const { secrets, otherSecrets = {}, apiKey } = input
  const named =
    typeof secrets === 'string' ? [[undefined, secrets] as const] : Object.entries(secrets)
  const usable = named.filter(([, secret]) => secret !== '')
  if (usable.length === 0)
    throw new TypeError('`secrets` should hold at least one secret that is not empty.')
  const rewrites = body.length <= MAX_BODY
  const text = rewrites ? textOf(body) : undefined
  // To trim() a byte order mark is white space; JSON.parse takes none.
  const fields = text === undefined ? {} : fieldsOf(text.trim())
  return {
    secrets: usable,
    others: Object.entries(otherSecrets),
    apiKey,
    timestamp: timestamps.length === 1 ? timestamps[0] : undefined,
    timestamps: {
      lines: timestamps,
      inBody: texts(fields.created_at, fields.timestamp),
      inSignature: signatures.flatMap((line) => /(?:^|[,\s])t=(\d+)/.exec(line)?.[1] ?? []),
    },
    ids: [...new Set([...ids, ...texts(fields.id)])],
    body: { bytes: body, text, json: readJson(text) },
    rewrites,
  }
}

/** The fields of the body that a sender may have signed in place of a header. */
function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const { id, created_at, data } = JSON.parse(text)
    return { id, created_at, timestamp: data?.timestamp }
  } catch {
    return {}
  }
}

function texts(...values: readonly unknown[]): readonly string[] {
  return values.filter(
    (value): value is string =>
      typeof value === 'string' && value !== '' && value.length <= MAX_FIELD,
  )
}
