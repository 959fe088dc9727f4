import {
  createReceiver,
  type ParsedDelivery,
  type Scheme,
  type SchemeKind,
  type SchemeResponse,
  WebhookError,
  WebhookHandshake,
} from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { publicUrlOf, type Secrets, sourceFor } from '@webhook-receiver/core/internal'
import type { Finding } from '@webhook-receiver/diagnose'
import { type Examination, examine } from '@webhook-receiver/diagnose/internal'
import { type Header, headerValue } from '@webhook-receiver/emulator/internal'

/** The largest body that is diagnosed as it comes, in bytes: one of 1 MiB takes 30 MiB of memory, and anybody may send it. */
export const DIAGNOSED = 262_144

/** A request to verify. */
export interface VerifiableRequest {
  readonly method: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** The path and query as requested, for a scheme that signs the URL. */
  readonly target?: string | undefined
}

export interface VerificationRules {
  /** How the service signs. @default the contract */
  readonly scheme?: Scheme | undefined
  /** The origin of the URL that the service was given, if its scheme signs the URL. */
  readonly publicUrl?: string | undefined
  /** In seconds. @default that of the scheme */
  readonly tolerance?: number | undefined
  /** The largest body, in bytes. @default that of the scheme */
  readonly limit?: number | undefined
}

/** What a diagnosis needs to know besides the request. */
export interface DiagnosisRules extends Pick<VerificationRules, 'scheme' | 'publicUrl'> {
  /** Often used as the secret by mistake, so a diagnosis tries it. */
  readonly apiKey?: string | undefined
  /** Schemes that the request may have been signed by instead. */
  readonly otherSchemes?: readonly Scheme[] | undefined
  /** The largest body that is diagnosed, in bytes. @default 262_144 */
  readonly diagnosed?: number
}

/** How a receiver responds to a request, and why. */
export type Verdict =
  | {
      readonly valid: true
      readonly secretName: string | undefined
      /** What a request says by which the service only checks the endpoint; `undefined` for a delivery. */
      readonly handshake?: string | undefined
      /** What the service takes for success, if that is not any 2xx. */
      readonly response?: SchemeResponse | undefined
    }
  | {
      readonly valid: false
      readonly status: number
      /** A heading in docs/errors.md. */
      readonly reason: string
      readonly detail: string
    }

/** A delivery of any scheme. */
export interface VerifiedDelivery extends ParsedDelivery {
  /** The parsed body; in the contract's form its `data`, which holds the instance and the content. */
  readonly data?: unknown
}

export type Verification =
  | (Extract<Verdict, { valid: true }> & { readonly delivery?: VerifiedDelivery | undefined })
  | Extract<Verdict, { valid: false }>

/** Verifies a request as a receiver does with these secrets, whose clock shows `at`. */
export async function verifyRequest(
  { method, headers, body, target }: VerifiableRequest,
  secrets: Exclude<Secrets, undefined>,
  at: number,
  { scheme, publicUrl, tolerance, limit }: VerificationRules,
): Promise<Verification> {
  const source = sourceFor(scheme, secrets)
  const receiver = createReceiver<undefined, NoSchemas, never, SchemeKind>(source, {
    scheme,
    publicUrl,
    tolerance,
    limit,
    now: () => at,
    onRejected: false,
  })
  try {
    const { delivery, verification } = await receiver.receive({
      method,
      header: (name) => headerValue(headers, name),
      readBody: () => body,
      context: undefined,
      remote: () => ({ url: target }),
    })
    const { secretName } = verification
    return { valid: true, secretName, delivery, response: scheme?.success }
  } catch (error) {
    if (error instanceof WebhookHandshake) {
      const { message: handshake, response } = error
      return { valid: true, secretName: undefined, handshake, response }
    }
    if (!(error instanceof WebhookError)) throw error
    const { status, reason, detail } = error
    return { valid: false, status, reason, detail }
  }
}

/** What a receiver says of a request, without the delivery, whose parsed body takes a multiple of its bytes; `undefined` where there is no secret. */
export async function verdictOf(
  request: VerifiableRequest,
  secrets: Secrets,
  at: number,
  rules: VerificationRules,
): Promise<Verdict | undefined> {
  if (secrets === undefined) return undefined
  const verification = await verifyRequest(request, secrets, at, rules)
  if (!verification.valid) return verification
  const { secretName, handshake } = verification
  return { valid: true, secretName, handshake }
}

/** Why a signature does not match, the most likely first; `undefined` where the body is larger than what is `diagnosed`. */
export async function findCauses(
  ...given: Parameters<typeof examineRequest>
): Promise<readonly Finding[] | undefined> {
  return (await examineRequest(...given))?.diagnosis
}

/** The same, with what the sender signed. */
export async function examineRequest(
  { headers, body, target = '' }: VerifiableRequest,
  secrets: Exclude<Secrets, undefined>,
  { apiKey, scheme, publicUrl, otherSchemes, diagnosed = DIAGNOSED }: DiagnosisRules,
): Promise<Examination | undefined> {
  if (body.length > diagnosed) return undefined
  const given = typeof secrets === 'string' ? secrets : definedSecrets(secrets)
  const url = publicUrl && publicUrlOf(publicUrl, target)
  return examine({ headers, body, secrets: given, apiKey, scheme, url, otherSchemes })
}

/** The secrets that there are, by name. */
export function definedSecrets(
  secrets: Exclude<Secrets, undefined>,
): Readonly<Record<string, string>> {
  if (typeof secrets === 'string') return { secret: secrets }
  return Object.fromEntries(
    Object.entries(secrets).flatMap(([name, secret]) => (secret ? [[name, secret]] : [])),
  )
}
