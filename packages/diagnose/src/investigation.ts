import type { Scheme, WebhookError } from '@webhook-receiver/core'
import type { Finding } from '@webhook-receiver/core/internal'
import { type Assumption, type Cause, finding } from './forms/finding.ts'
import { findPossible } from './forms/possible-forms.ts'
import { API_KEY, isApiKey, type NamedSecret } from './forms/secret-forms.ts'
import { OTHER_SCHEME, readDigests } from './forms/signature-forms.ts'
import type { DiagnosisInput } from './request/input.ts'
import type { RequestParts } from './request/request-parts.ts'
import { attempts, type SearchInput } from './search/attempts.ts'
import { readableHeads } from './search/heads.ts'
import { macSigning } from './search/mac-signing.ts'
import { importKey, schemeSigning, verifies } from './search/scheme-signing.ts'
import type { Signing } from './search/signing.ts'
import type { Pace } from './text/pace.ts'

/** How the cause is looked for in one request. */
export interface Investigation {
  /** Whether there is a signature to compare with. */
  readonly hasSignature: boolean
  /** @throws OverBudget */
  search(input: SearchInput, pace: Pace): Promise<Finding | undefined>
  /** The causes that the request itself makes likely; only its headers are known where there are no secrets. */
  possible(secrets: readonly NamedSecret[] | undefined): readonly Finding[]
}

export function investigate(
  scheme: Scheme,
  parts: RequestParts,
  url: string | undefined,
): Investigation {
  const { places } = scheme
  const heads = readableHeads(scheme, { method: 'POST', header: parts.header, url })
  const { fault, asSent, others } = heads
  const digests = places ? readDigests(parts.lines(places.signature)) : []
  const forms = new Set(digests.map(({ form }) => form))
  const assumptions: readonly Assumption[] =
    digests.length > 0
      ? [...forms].flatMap((cause) => (cause ? [{ cause }] : []))
      : others.map(({ assumption }) => assumption)
  return {
    hasSignature: digests.length + asSent.length + others.length > 0,
    async search(input, pace) {
      if (places && digests.length > 0) {
        return firstMatch(macSigning(places, digests, parts, input.body, pace), input, pace)
      }
      return firstMatch(schemeSigning(scheme, heads, pace), input, pace)
    },
    possible: (secrets) => [
      ...(fault ? headFindings(fault, assumptions, secrets) : []),
      ...(secrets?.some(([, secret]) => isApiKey(secret)) ? [API_KEY_GIVEN] : []),
      ...(secrets ? findPossible(parts) : []),
    ],
  }
}

/** The finding for the first attempt that leads to the received signature. */
async function firstMatch<Key, Message>(
  signing: Signing<Key, Message>,
  input: SearchInput,
  pace: Pace,
): Promise<Finding | undefined> {
  for await (const { key, message, assumptions, secretName } of attempts(signing, input, pace)) {
    const match = await signing.match(key, message)
    if (!match) continue
    const { form } = match
    const [first, second] = assumptions
    // Another scheme has its own message and key.
    if (form === OTHER_SCHEME) return finding([{ cause: form }], 'certain', secretName)
    // Three causes at once are more likely a coincidence.
    if (form && second) continue
    if (first) return finding([first, form ? { cause: form } : second], 'certain', secretName)
    if (form) return finding([{ cause: form }], 'certain', secretName)
    return secretName === undefined ? VALID : { ...VALID, secretName }
  }
  return undefined
}

const VALID: Finding = {
  code: 'valid',
  certainty: 'certain',
  message: 'The signature is valid.',
  fix: 'The signature needs no fix.',
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
  assumptions: readonly Assumption[],
  secrets: readonly NamedSecret[] | undefined,
): readonly Finding[] {
  if (assumptions.length > 0) return assumptions.map((one) => finding([one], 'possible'))
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
