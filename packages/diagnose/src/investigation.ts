import type { RequestHead, Scheme, WebhookError } from '@webhook-receiver/core'
import { type Finding, SIGNATURE_HEADERS } from '@webhook-receiver/core/internal'
import { type Cause, finding } from './forms/finding.ts'
import { findPossible } from './forms/possible-forms.ts'
import { API_KEY, isApiKey, type NamedSecret } from './forms/secrets.ts'
import type { DiagnosisInput } from './request/input.ts'
import type { RequestParts } from './request/request-parts.ts'
import { attempts, type SearchInput } from './search/attempts.ts'
import { type Reading, type Readings, readingsOf } from './search/readings.ts'
import { createSigning, importKey, verifies } from './search/signing.ts'
import type { Pace } from './text/pace.ts'

/** A request as its sender signed it, with the mistake that was found. */
export interface SignedRequest {
  readonly scheme: Scheme
  readonly request: RequestHead
  readonly body: Uint8Array
}

/** A finding, and what was signed if it is true. */
export interface Found {
  readonly finding: Finding
  readonly signed?: SignedRequest
}

/** How the cause is looked for in one request. */
export interface Investigation {
  /** The finding for the first attempt that leads to the received signature. @throws OverBudget */
  search(input: SearchInput, pace: Pace): Promise<Found | undefined>
  /** The causes that the request itself makes likely; only its headers are known where there are no secrets. */
  possible(secrets: readonly NamedSecret[] | undefined): readonly Finding[]
}

export function investigate(
  scheme: Scheme,
  parts: RequestParts,
  url: string | undefined,
): Investigation {
  const readings = readingsOf(scheme, { method: 'POST', header: parts.header, url }, parts.names)
  return {
    async search(input, pace) {
      const signing = createSigning(scheme, pace)
      for await (const attempt of attempts(signing, readings, input, pace)) {
        const { key, reading, body, assumptions, secretName } = attempt
        const [first, ...more] = assumptions
        // Three causes at once are more likely a coincidence.
        if (more.length > 1) continue
        if (!(await signing.verifies(key, reading, body))) continue
        const signed = { scheme: reading.scheme, request: reading.request, body }
        if (first) return { finding: finding([first, more[0]], 'certain', secretName), signed }
        return { finding: secretName === undefined ? VALID : { ...VALID, secretName }, signed }
      }
      return undefined
    },
    possible: (secrets) => [
      ...headFindings(readings, secrets),
      ...(secrets?.some(([, secret]) => isApiKey(secret, scheme)) ? [API_KEY_GIVEN] : []),
      ...(secrets ? findPossible(parts) : []),
    ],
  }
}

const VALID: Finding = {
  code: 'valid',
  certainty: 'certain',
  message: 'The signature is valid.',
  fix: 'The signature needs no fix. Its age is not looked at: if that is the reason, correct the clock, or have it sent again.',
}

const API_KEY_GIVEN: Finding = {
  code: API_KEY.code,
  certainty: 'possible',
  message: 'The secret begins like an API key, which is possibly the cause.',
  fix: 'Pass the signing secret of the webhook. The API key is for calls to the service.',
}

/** Of a head that cannot be read: the forms in which it could be, or else what is wrong with it. */
function headFindings(
  readings: Readings,
  secrets: readonly NamedSecret[] | undefined,
): readonly Finding[] {
  const { fault } = readings
  if (!fault) return []
  const likely = likelyForms(readings.others())
  if (likely.length > 0) return likely
  // A receiver that has read the headers only has said so already.
  if (fault.reason === 'signature_malformed' && !secrets) return []
  return [asFinding(fault)]
}

const SHOWN = /^(?:signature_|header_|timestamp_unit$)/

/** One finding for each cause that a head shows: what is signed is not among them. */
function likelyForms(readings: readonly Reading[]): readonly Finding[] {
  const seen = new Set<string>()
  return readings.flatMap(({ assumptions: [first] }) => {
    // Another service's header was not renamed by anybody: the request was sent to the wrong URL, as the fault says.
    const [other = ''] = first?.form?.split(' ') ?? []
    if (first?.cause.code === 'header_renamed' && Object.hasOwn(SIGNATURE_HEADERS, other)) return []
    if (!first || seen.has(first.cause.code) || !SHOWN.test(first.cause.code)) return []
    seen.add(first.cause.code)
    return [finding([first], 'possible')]
  })
}

function asFinding({ reason, detail }: WebhookError): Finding {
  const fix = 'Compare the headers of the request with those that the service documents.'
  return { code: reason, certainty: 'possible', message: detail, fix }
}

/** The finding for those of `otherSchemes` by which a secret verifies the request: GitHub and Meta sign alike. */
export async function findOtherScheme(
  { scheme, otherSchemes = [], url }: DiagnosisInput,
  secrets: readonly NamedSecret[],
  { header, body }: RequestParts,
): Promise<Finding | undefined> {
  for (const [secretName, secret] of secrets) {
    const names: string[] = []
    for (const other of otherSchemes) {
      if (other.name === scheme?.name) continue
      const key = await importKey(other, secret)
      const request = { method: 'POST', header, url }
      if (key !== undefined && (await verifies(other, key, request, body))) {
        names.push(JSON.stringify(other.name))
      }
    }
    if (names.length > 0) return otherScheme(names, secretName)
  }
  return undefined
}

function otherScheme(names: readonly string[], secretName: string | undefined): Finding {
  const cause: Cause = {
    code: 'scheme_other',
    what: `is valid by the scheme ${names.join(' or ')}`,
    fix: 'Pass this scheme to the receiver, or give each service its own URL.',
  }
  return finding([{ cause }], 'certain', secretName)
}
