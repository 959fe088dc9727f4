import type { Scheme } from '@webhook-receiver/core'
import { contract, isRecord, type Secrets } from '@webhook-receiver/core/internal'
import type { Finding } from '@webhook-receiver/diagnose'
import { eitherOf, guessOf, otherServices } from '@webhook-receiver/inspector/other-services'
import {
  DIAGNOSED,
  type DiagnosisRules,
  findCauses,
  type VerifiableRequest,
  type Verification,
  type VerificationRules,
  type VerifiedDelivery,
  verifyRequest,
} from '@webhook-receiver/inspector/verification'
import { beside, type Output, type Paint, printable, wrap } from '../console/index.ts'
import type { Briefly } from './briefly.ts'

/** What verification found, with the causes if the signature does not match, the most likely first. */
export type Verdict = Verification & {
  readonly findings?: readonly Finding[]
  /** The services that may have sent it instead. */
  readonly others?: readonly Scheme[]
}

export interface JudgeRules extends VerificationRules, DiagnosisRules {}

/** Verifies a request as a receiver does whose clock shows `at`, and diagnoses a signature that does not match. */
export async function judge(
  request: VerifiableRequest,
  secrets: Exclude<Secrets, undefined>,
  at: number,
  rules: JudgeRules,
): Promise<Verdict> {
  return explain(await verifyRequest(request, secrets, at, rules), request, secrets, rules)
}

/** Adds the causes of a signature that is missing or does not match. */
export async function explain(
  verdict: Verdict,
  request: VerifiableRequest,
  secrets: Exclude<Secrets, undefined>,
  rules: JudgeRules,
): Promise<Verdict> {
  if (verdict.valid || !verdict.reason.startsWith('signature_')) return verdict
  const others = await otherServices(request.headers, rules.scheme ?? contract)
  // Of a missing signature, the detail says all else that the request shows.
  if (verdict.reason === 'signature_missing') return { ...verdict, others }
  const findings = await findCauses(request, secrets, rules)
  if (findings) return { ...verdict, findings, others }
  const advice = `The body is larger than ${rules.diagnosed ?? DIAGNOSED} bytes, so listen did not search for the cause: save the request with --save and run verify on the file.`
  return { ...verdict, detail: `${verdict.detail} ${advice}` }
}

/** A verdict on a request as lines of text. */
export function verdictLines(
  name: string,
  verdict: Verdict,
  scheme: Scheme,
  paint: Paint,
  output: Output,
  briefly: Briefly,
): readonly string[] {
  const shown = printable(name)
  if (verdict.valid) {
    const { secretName } = verdict
    const by = secretName === undefined ? 'valid' : `valid with ${printable(secretName)}`
    const facts = [paint('green', by), ...acceptedFacts(verdict)].join('  ')
    return beside(`${paint('green', '✓')} ${shown}`, facts, output)
  }
  const { status, reason } = verdict
  return [
    ...beside(
      `${paint('red', '✗')} ${shown}`,
      `${paint('red', `rejected ${status}`)}  ${reason}`,
      output,
    ),
    ...briefly(verdictDetails(verdict, scheme, 'Run it again'), 'above'),
  ]
}

/** What a valid request holds; nothing that its service does not have. */
function acceptedFacts({
  delivery = {},
  handshake,
}: Extract<Verdict, { valid: true }>): readonly string[] {
  const { id, event, known } = delivery
  const { instance } = contentOf(delivery)
  return [
    handshake,
    event && `${event}${known === false ? ' (an unknown event)' : ''}`,
    id && `id ${id}`,
    instance === undefined ? '' : `instance ${instance}`,
  ].flatMap((fact) => (fact ? [printable(fact)] : []))
}

/** The instance, which only the contract has, and the content of a delivery. */
export function contentOf({ known, data }: VerifiedDelivery): {
  readonly instance: string | undefined
  readonly content: unknown
} {
  if (known === undefined || !isRecord(data)) return { instance: undefined, content: data }
  return { instance: String(data.instance_id), content: data.data }
}

/** Why a request is rejected, by the most likely cause, and the fix. `again` says how the command gets another scheme. */
export function verdictDetails(
  { reason, detail, findings = [], others = [] }: Extract<Verdict, { valid: false }>,
  scheme: Scheme,
  again: string,
): readonly string[] {
  if (others.length > 0 && findings[0]?.certainty !== 'certain') {
    const { said, names } = guessOf(others, scheme)
    const either = eitherOf(names)
    const how = either === contract.name ? 'without --scheme, with' : `with --scheme ${either}, and`
    return [
      ...wrap(`It ${said}.`, 2),
      ...(names.length > 0 ? wrap(`Fix: ${again} ${how} its secret.`, 2) : []),
    ]
  }
  // A cause says more than what was seen.
  const [likely] = findings
  if (!likely) return wrap(detail, 2)
  const { code, message, fix } = likely
  return [
    ...wrap(
      code === 'unknown' || code === reason ? message : message.replace(/\.$/, ` (${code}).`),
      2,
    ),
    // The receiver of a command is named by its flag.
    ...`Fix: ${fix.replace('Pass this scheme to the receiver', 'Add it as --scheme')}`
      .split(/(?<=\.) (?=[A-Z])/)
      .flatMap((sentence) => wrap(sentence, 2)),
  ]
}

/** A verdict as one value for JSON. */
export function verdictJson(verdict: Verdict): object {
  if (!verdict.valid) {
    const { valid, status, reason, detail, findings = [], others = [] } = verdict
    const schemes = others.length > 0 ? others.map(({ name }) => name) : undefined
    return { valid, status, reason, detail, diagnosis: findings, schemes }
  }
  const { valid, delivery, secretName, handshake } = verdict
  return { valid, status: ACCEPTED, secret_name: secretName, delivery, handshake }
}

/** What a receiver responds with to a valid delivery. */
export const ACCEPTED = 204
