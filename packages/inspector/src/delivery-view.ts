import type { Finding } from '@webhook-receiver/diagnose'
import type { Header } from '@webhook-receiver/emulator/request'
import { type CaptureBody, captureBody } from '@webhook-receiver/quarantine'
import type { Answer, WireRequest } from './exchange.ts'
import type { Attempt, Delivery } from './journal.ts'
import { type Dot, dotOf, type Row, toRow } from './row.ts'
import type { KnownTarget } from './targets.ts'
import { type Comparison, compareSignatures, findCauses, type Verdict } from './verification.ts'

/** An attempt without what only the open one needs. */
interface AttemptSummary {
  readonly number: number
  readonly at: number
  readonly note: string | undefined
  readonly dot: Dot
  readonly status: number | undefined
  readonly error: string | undefined
  readonly ms: number | undefined
}

/** One attempt of a delivery with everything that the page shows of it. */
export interface AttemptView extends Row {
  readonly url: string
  readonly canSign: boolean
  readonly all: readonly AttemptSummary[]
  readonly attempt: AttemptSummary & {
    readonly method: string
    readonly path: string
    readonly httpVersion: string
    readonly headers: readonly Header[]
    /** `null` if it was dropped. */
    readonly body: CaptureBody | null
    readonly size: number
    readonly answer: Answer | null
    readonly verdict: Verdict | null
    /** `null` where there is no body or no secret. */
    readonly signature: Comparison | null
    /** Why the signature does not match. */
    readonly findings: readonly Finding[]
    /** Why nobody looked for that. */
    readonly undiagnosed: string | undefined
  }
}

/** The diagnoses that were made, so that an open page does not ask for them again and again. */
const diagnoses = new WeakMap<Attempt, Awaited<ReturnType<typeof findCauses>>>()

export async function attemptView(
  delivery: Delivery,
  attempt: Attempt,
  target: KnownTarget | undefined,
  apiKey: string | undefined,
): Promise<AttemptView> {
  const secrets = target?.secrets ?? {}
  const request = wireRequest(attempt)
  const wrong = attempt.verdict?.valid === false && attempt.verdict.reason.startsWith('signature_')
  const findings = wrong && request ? await diagnosed(attempt, request, secrets, apiKey) : []
  const {
    method,
    target: path,
    httpVersion,
    headers,
    size,
    answer = null,
    verdict = null,
  } = attempt
  return {
    ...toRow(delivery),
    url: target?.url.href ?? '',
    canSign: Object.keys(secrets).length > 0,
    all: delivery.attempts.map(summary),
    attempt: {
      ...summary(attempt),
      method,
      path,
      httpVersion,
      headers,
      body: request ? captureBody(request.body) : null,
      size,
      answer,
      verdict,
      signature:
        request && Object.keys(secrets).length > 0 ? compareSignatures(request, secrets) : null,
      findings: findings ?? [],
      undiagnosed:
        findings === undefined ? 'The body is too large to search for the cause.' : undefined,
    },
  }
}

async function diagnosed(
  attempt: Attempt,
  request: WireRequest,
  secrets: Readonly<Record<string, string>>,
  apiKey: string | undefined,
): ReturnType<typeof findCauses> {
  if (!diagnoses.has(attempt)) diagnoses.set(attempt, await findCauses(request, secrets, apiKey))
  return diagnoses.get(attempt)
}

/** The request of an attempt; `undefined` when its body was dropped. */
export function wireRequest({
  method,
  target,
  httpVersion,
  headers,
  body,
}: Attempt): WireRequest | undefined {
  return body && { method, target, httpVersion, headers, body }
}

function summary(attempt: Attempt): AttemptSummary {
  const { number, at, note, answer } = attempt
  return {
    number,
    at,
    note,
    dot: dotOf(attempt),
    status: answer?.status,
    error: answer?.error,
    ms: answer?.duration,
  }
}

export type { CaptureBody }
