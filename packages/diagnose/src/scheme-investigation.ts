import type { Scheme, WebhookError } from '@webhook-receiver/core'
import type { Finding } from '@webhook-receiver/core/internal'
import type { NamedSecret } from './derived-secrets.ts'
import { type Cause, finding } from './finding.ts'
import type { DiagnosisInput } from './input.ts'
import { firstMatch, type Investigation } from './investigation.ts'
import { findPossible, POSSIBLE_FORMS } from './possible-forms.ts'
import { type ReadableHeads, readableHeads } from './request-forms.ts'
import type { RequestParts } from './request-parts.ts'
import { createSchemeSearch, importKey, schemeCandidates, verifies } from './scheme-candidates.ts'
import { API_KEY, isApiKey } from './secret-forms.ts'

const UNKNOWN: Finding = {
  code: 'unknown',
  certainty: 'possible',
  message:
    'No known cause leads to this signature: possibly the request is forged, or signed with another secret.',
  fix:
    'Copy the secret of this endpoint from the service once more: most services have another one for each endpoint, for test mode ' +
    'and for their command line. If it is the same, treat the request as forged.',
}

const BODY_FORMS = POSSIBLE_FORMS.filter(({ code }) => code.startsWith('body_'))

/** Each attempt is verified by the scheme itself, so that what it signs is written down once. */
export function investigateScheme(
  scheme: Scheme,
  parts: RequestParts,
  url: string | undefined,
): Investigation {
  const heads = readableHeads(scheme, { method: 'POST', header: parts.header, url })
  const { fault, asSent, others } = heads
  return {
    hasSignature: asSent.length + others.length > 0,
    async search(input, pace) {
      const candidates = await schemeCandidates(scheme, input, heads, pace)
      return firstMatch(candidates, createSchemeSearch(scheme, pace), pace)
    },
    possible: (secrets) => [
      ...(fault ? headFindings(fault, heads, secrets) : []),
      ...(secrets?.some(([, secret]) => isApiKey(secret)) ? [API_KEY_GIVEN] : []),
      ...(secrets ? findPossible(BODY_FORMS, parts) : []),
    ],
    unknown: UNKNOWN,
  }
}

const API_KEY_GIVEN: Finding = {
  code: API_KEY.code,
  certainty: 'possible',
  message: 'The secret begins like an API key, which is possibly the cause.',
  fix: 'Pass the signing secret of the webhook. The API key is for calls to the service.',
}

/** Of a head that cannot be read: the forms in which it could be, or else what is wrong with it. */
function headFindings(
  { reason, detail }: WebhookError,
  { others }: ReadableHeads,
  secrets: readonly NamedSecret[] | undefined,
): readonly Finding[] {
  if (others.length > 0) {
    return others.map(({ assumption }) => finding([assumption], 'possible'))
  }
  // A receiver that has read the headers only has said so already.
  if (reason === 'signature_malformed' && !secrets) return []
  const fix = 'Compare the headers of the request with those that the service documents.'
  return [{ code: reason, certainty: 'possible', message: detail, fix }]
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
      const [request] = readableHeads(other, { method: 'POST', header, url }).asSent
      const key = request && (await importKey(other, secret))
      if (request && key && (await verifies(other, key, { request: request.value, body }))) {
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
