import type { Scheme } from '@webhook-receiver/core'
import {
  checkValue,
  contract,
  type Diagnosis,
  type Finding,
  hexadecimal,
  listOf,
  mac,
  madeBy,
  optional,
  SCHEME,
} from '@webhook-receiver/core/internal'
import type { BodyText } from './forms/body-form.ts'
import type { NamedSecret } from './forms/secrets.ts'
import { type Found, findOtherScheme, investigate, type SignedRequest } from './investigation.ts'
import type { DiagnosisInput } from './request/input.ts'
import { MAX_BODY, MAX_HEADER, type RequestParts, readRequest } from './request/request-parts.ts'
import { isSignable } from './search/signing.ts'
import { MAX_MESSAGE } from './search/spend.ts'
import { utf8 } from './text/encodings.ts'
import { MAX_JSON, readJsonText } from './text/json-text.ts'
import { createPace, OverBudget, type Pace } from './text/pace.ts'

async function unknown(
  secrets: readonly NamedSecret[],
  { secret, signsUrl }: Scheme,
): Promise<Finding> {
  // Whose requests are accepted is no secret, and signs nothing.
  if (secret?.isName) {
    return {
      code: 'unknown',
      certainty: 'possible',
      message: 'Signed by a key that the service does not publish, or changed on the way.',
      fix: 'Find what changes the body, or treat the request as forged.',
    }
  }
  const digests = await Promise.all(
    secrets
      .slice(0, 5)
      .map(async ([, secret]) => hexadecimal((await mac.sha256(utf8(secret))).subarray(0, 4))),
  )
  const called = secret?.called ?? 'the secret'
  const whose = secret?.several ? ` (${secret.several})` : ''
  const [otherUrl, compare] = signsUrl
    ? [' or for another URL', 'compare the public URL with the one at the service, ']
    : ['', '']
  const many = digests.length > 1 ? 's' : ''
  return {
    code: 'unknown',
    certainty: 'possible',
    message: `Signed with another secret${otherUrl}, or changed on the way. Secret fingerprint${many}: ${digests.join(', ')}.`,
    fix: `Copy ${called} again${whose}. If it is the same, ${compare}find what changes the body, or treat the request as forged.`,
  }
}

/** Where the scheme itself says that what arrived cannot be what its service signed, such as JSON instead of a form. */
const UNSIGNABLE: Finding = {
  code: 'unknown',
  certainty: 'possible',
  message: 'The service signs no such body, so no secret can match.',
  fix: 'Find what changes the body or its URL, or treat the request as forged.',
}

/** Where there is no body to compute a MAC over. */
const WITHOUT_BODY: Finding = {
  code: 'unknown',
  certainty: 'possible',
  message:
    'The headers alone do not show why the signature is rejected: possibly the request is forged.',
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
 * @throws TypeError where there is no secret, and for what is not a scheme.
 *
 * @example
 * const [first] = await diagnose({ headers: request.headers, body, secrets: secret })
 * console.log(first.code, first.message, first.fix)
 */
export const diagnose: (input: DiagnosisInput) => Promise<Diagnosis> = /* @__PURE__ */ madeBy(
  '@webhook-receiver/diagnose',
  'scheme',
  async (input) => (await examine(input)).diagnosis,
)

/** What a diagnosis found. */
export interface Examination {
  readonly diagnosis: Diagnosis
  /** What the sender signed, where a certain finding shows it. */
  readonly signed?: SignedRequest | undefined
}

/** As `diagnose`, with what the sender signed: tools show where it differs from what arrived. */
export async function examine(input: DiagnosisInput): Promise<Examination> {
  checkValue('scheme', input.scheme, optional(SCHEME))
  checkValue('otherSchemes', input.otherSchemes, optional(SCHEMES))
  const pace = createPace()
  const parts = await readRequest(input, pace)
  const { scheme = contract, url } = input
  const investigation = investigate(scheme, parts, url)
  const { body, cut } = parts
  const skipped: string[] = []
  const left = () => [...cut.map(SKIPPED.header), ...skipped]
  if (input.body === undefined) {
    return withFallback(investigation.possible(undefined), left, () => WITHOUT_BODY)
  }
  const secrets = secretsOf(input)
  if (body.length > MAX_MESSAGE) skipped.push(SKIPPED.message)
  else {
    try {
      const found = await search()
      if (found) return { diagnosis: [found.finding], signed: found.signed }
      const other = await findOtherScheme(input, secrets, parts)
      if (other) return { diagnosis: [other] }
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error
      skipped.push(SKIPPED.work)
    }
  }
  return withFallback(investigation.possible(secrets), left, async () =>
    (await isSignable(scheme, secrets, { method: 'POST', header: parts.header, url }, body))
      ? unknown(secrets, scheme)
      : UNSIGNABLE,
  )

  async function search(): Promise<Found | undefined> {
    if (body.length > MAX_BODY) skipped.push(SKIPPED.body)
    const { otherSecrets = {}, apiKey } = input
    const given = { secrets, others: Object.entries(otherSecrets), apiKey }
    const text = await readBodyText(parts, pace)
    const tryBodyForms = body.length <= MAX_BODY
    const found = await investigation.search({ ...given, body: text, tryBodyForms }, pace)
    if (!found && isLongJson(text.text)) skipped.push(SKIPPED.json)
    return found
  }
}

const SCHEMES = listOf('an array of schemes, such as [stripe, github]', SCHEME)

async function readBodyText({ body, text }: RequestParts, pace: Pace): Promise<BodyText> {
  return { bytes: body, text, json: text === undefined ? text : await readJsonText(text, pace) }
}

/** Looks at the beginning of the text only: long text is not parsed. */
function isLongJson(text = ''): boolean {
  return text.length > MAX_JSON && /^\s*["[{]/.test(text.slice(0, 100))
}

async function withFallback(
  found: readonly Finding[],
  left: () => readonly string[],
  otherwise: () => Finding | Promise<Finding>,
): Promise<Examination> {
  const skipped = left()
  const [first, ...others] = skipped.length > 0 ? [...found, unfinished(skipped)] : found
  return { diagnosis: first ? [first, ...others] : [await otherwise()] }
}

function unfinished(skipped: readonly string[]): Finding {
  return {
    code: 'unfinished',
    certainty: 'possible',
    message: `Not diagnosed further: ${skipped.join('; ')}. Nothing that was tried matches the signature.`,
    fix: 'Send a smaller request with the same mistake, and compare the fingerprint of the secret with that of the registered webhook.',
  }
}

function secretsOf({ secrets }: DiagnosisInput): readonly NamedSecret[] {
  const named =
    typeof secrets === 'string' ? [[undefined, secrets] as const] : Object.entries(secrets)
  const usable = named.filter(([, secret]) => secret !== '')
  if (usable.length === 0)
    throw new TypeError('`secrets` should hold at least one secret that is not empty.')
  return usable
}
