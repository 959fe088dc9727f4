import { createReceiver, type Delivery, type Secrets, WebhookError } from '@webhook-receiver/core'
import { diagnose, type Finding } from '@webhook-receiver/diagnose'
import { type Header, headerValue } from '@webhook-receiver/emulator/request'

/** A request to verify. */
export interface Request {
  readonly method: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array
}

export interface VerifyOptions {
  readonly secrets: Exclude<Secrets, undefined>
  readonly tolerance: number
  /** The largest body, in bytes. */
  readonly limit: number
  /** What the receiver's clock shows: milliseconds since the epoch. */
  readonly at: number
  /**
   * The largest body that is diagnosed, in bytes.
   * @default every body
   */
  readonly diagnoseUpTo?: number | undefined
  /** Often used as the secret by mistake, so a diagnosis tries it. */
  readonly apiKey?: string | undefined
}

/** How a receiver answers a request, and why. */
export type VerificationResult =
  | {
      readonly valid: true
      /** What a receiver answers. */
      readonly status: number
      readonly delivery: Delivery
      readonly secretName: string | undefined
    }
  | {
      readonly valid: false
      readonly status: number
      /** A heading in docs/errors.md. */
      readonly reason: string
      readonly detail: string
      /** Why the signature does not match, the most likely first; empty for other reasons. */
      readonly findings: readonly Finding[]
    }

/** Verifies a request as a receiver does, and diagnoses a signature that does not match. */
export async function verifyRequest(
  request: Request,
  options: VerifyOptions,
): Promise<VerificationResult> {
  const { method, headers, body } = request
  const { secrets, tolerance, limit, at, apiKey } = options
  const { diagnoseUpTo = Number.POSITIVE_INFINITY } = options
  const receiver = createReceiver<undefined>(secrets, {
    tolerance,
    limit,
    now: () => at,
    onRejected: false,
    diagnose: false,
  })
  try {
    const { delivery, verification } = await receiver.receive({
      method,
      header: (name) => headerValue(headers, name),
      readBody: () => body,
      context: undefined,
    })
    return { valid: true, status: 204, delivery, secretName: verification.secretName }
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    const { status, reason, detail } = error
    const wrong = reason.startsWith('signature_')
    if (wrong && body.length > diagnoseUpTo) {
      const advice = `The body is larger than ${diagnoseUpTo} bytes, so listen did not search for the cause: save the request with --save and run verify on the file.`
      return { valid: false, status, reason, detail: `${detail} ${advice}`, findings: [] }
    }
    const findings = wrong
      ? await diagnose({ headers, body, secrets: defined(secrets), apiKey })
      : []
    return { valid: false, status, reason, detail, findings }
  }
}

function defined(secrets: Exclude<Secrets, undefined>): string | Readonly<Record<string, string>> {
  if (typeof secrets === 'string') return secrets
  return Object.fromEntries(
    Object.entries(secrets).flatMap(([name, secret]) => (secret ? [[name, secret]] : [])),
  )
}
