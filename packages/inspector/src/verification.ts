import { createHmac } from 'node:crypto'
import { createReceiver, WebhookError } from '@webhook-receiver/core'
import { diagnose, type Finding } from '@webhook-receiver/diagnose'
import { headerValue } from '@webhook-receiver/emulator/request'
import type { WireRequest } from './exchange.ts'

/** The largest body that is diagnosed, in bytes: one of 1 MiB takes 30 MiB of memory. */
const DIAGNOSED = 262_144

/** How a receiver with these secrets and this clock answers a request. */
export type Verdict =
  | { readonly valid: true; readonly secretName: string | undefined }
  | {
      readonly valid: false
      readonly status: number
      /** A heading in docs/errors.md. */
      readonly reason: string
      readonly detail: string
    }

export interface VerificationRules {
  readonly tolerance: number
  readonly limit: number
}

/** Verifies a request as a receiver does whose clock shows `at`; `undefined` where there is no secret. */
export async function verify(
  request: WireRequest,
  secrets: Readonly<Record<string, string>>,
  at: number,
  { tolerance, limit }: VerificationRules,
): Promise<Verdict | undefined> {
  const [first, ...others] = Object.values(secrets)
  if (first === undefined) return undefined
  const receiver = createReceiver<undefined>(others.length === 0 ? first : secrets, {
    tolerance,
    limit,
    now: () => at,
    onRejected: false,
    diagnose: false,
  })
  try {
    const { verification } = await receiver.receive({
      method: request.method,
      header: (name) => headerValue(request.headers, name),
      readBody: () => request.body,
      context: undefined,
    })
    return { valid: true, secretName: verification.secretName }
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    const { status, reason, detail } = error
    return { valid: false, status, reason, detail }
  }
}

/** How the signature of a request compares with the right ones. */
export interface Comparison {
  /** X-Webhook-Timestamp and X-Webhook-Signature as they came. */
  readonly timestamp: string | undefined
  readonly received: string | undefined
  /** How many bytes are signed: the timestamp, a full stop, the body. */
  readonly bytes: number
  readonly expected: readonly {
    readonly secretName: string
    readonly signature: string
    readonly equal: boolean
  }[]
}

export function compareSignatures(
  { headers, body }: WireRequest,
  secrets: Readonly<Record<string, string>>,
): Comparison {
  const timestamp = headerValue(headers, 'x-webhook-timestamp')
  const received = headerValue(headers, 'x-webhook-signature')
  const prefix = Buffer.from(`${timestamp ?? ''}.`, 'latin1')
  const expected = Object.entries(secrets).map(([secretName, secret]) => {
    const digest = createHmac('sha256', secret).update(prefix).update(body).digest('hex')
    const signature = `sha256=${digest}`
    return { secretName, signature, equal: signature === received }
  })
  return { timestamp, received, bytes: prefix.length + body.length, expected }
}

/** Why a signature does not match, the most likely first; `undefined` where the body is too large to find out. */
export async function findCauses(
  { headers, body }: WireRequest,
  secrets: Readonly<Record<string, string>>,
  apiKey: string | undefined,
): Promise<readonly Finding[] | undefined> {
  if (body.length > DIAGNOSED) return undefined
  return diagnose({ headers, body, secrets, apiKey })
}
