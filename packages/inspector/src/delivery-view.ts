import type { Finding } from '@webhook-receiver/diagnose'
import { type CaptureBody, captureBody } from '@webhook-receiver/quarantine/internal'
import type { Difference } from './difference.ts'
import {
  type Attempt,
  type Change,
  type Delivery,
  type Response,
  requestOf,
  unpack,
  type WireRequest,
} from './journal.ts'
import { type Dot, dotOf, type Row, toRow } from './row.ts'
import type { Comparison, Service } from './service.ts'
import type { Target } from './targets.ts'
import {
  type DiagnosisRules,
  definedSecrets,
  examineRequest,
  type Verdict,
} from './verification.ts'

/** An attempt without what only the open one needs. */
interface AttemptSummary {
  readonly number: number
  readonly at: number
  readonly note: string | undefined
  readonly change: Change | undefined
  readonly dot: Dot
  readonly status: number | undefined
  readonly error: string | undefined
  readonly ms: number | undefined
}

/** One attempt of a delivery with everything that the page shows of it. */
export interface AttemptView extends Row {
  readonly url: string
  /** The command that starts the server, with its secret. */
  readonly start?: string | undefined
  readonly canSign: boolean
  /** Whether a server of yours has responded, and not the command that shows the delivery. */
  readonly yours: boolean
  /** The name of the scheme that a test has to import; absent for the default. */
  readonly service?: string | undefined
  readonly contentAt?: Service['contentAt']
  /** The headers that verification reads, in lower case. */
  readonly signedHeaders: readonly string[]
  readonly all: readonly AttemptSummary[]
  readonly attempt: AttemptSummary &
    Omit<WireRequest, 'body'> & {
      readonly body: CaptureBody
      readonly size: number
      readonly response: Response | null
      readonly verdict: Verdict | null
      /** `null` where there is no secret. */
      readonly signature: Comparison | null
      /** Why the signature does not match; `null` if the body is too large to find out. */
      readonly findings: readonly Finding[] | null
      /** Where what the sender signed differs, if a finding is certain. */
      readonly difference: Difference | null
    }
}

export interface ViewRules extends DiagnosisRules {
  readonly replies: boolean
  readonly forwardsTo?: string | undefined
}

export async function attemptView(
  delivery: Delivery,
  attempt: Attempt,
  target: Target | undefined,
  service: Service,
  rules: ViewRules,
): Promise<AttemptView> {
  const { response, verdict = null } = attempt
  const secrets = target?.secrets
  const request = requestOf(attempt)
  const { body, ...head } = request
  const wrong =
    verdict?.valid === false && /^signature_(?:mismatch|malformed)$/.test(verdict.reason)
  const found = wrong && secrets ? await causesOf(attempt, secrets, rules) : NOTHING
  return {
    ...toRow(delivery),
    url: target?.url.href ?? '',
    start: target?.start,
    canSign: target?.signing !== undefined,
    yours: delivery.origin === 'received' ? rules.forwardsTo !== undefined : !rules.replies,
    service: service.option,
    contentAt: service.contentAt,
    signedHeaders: service.headers,
    all: delivery.attempts.map(summary),
    attempt: {
      ...summary(attempt),
      ...head,
      body: captureBody(body),
      size: body.length,
      response: response ? unpack(response) : null,
      verdict,
      signature: secrets ? await service.compare(request, definedSecrets(secrets)) : null,
      findings: found?.diagnosis ?? null,
      difference: (found?.signed && service.parting(request, found.signed)) ?? null,
    },
  }
}

const NOTHING: { readonly diagnosis: readonly Finding[]; readonly signed?: undefined } = {
  diagnosis: [],
}

/** The last diagnosis, so that an open page does not ask for it again and again. */
let latest:
  | { readonly attempt: Attempt; readonly causes: ReturnType<typeof examineRequest> }
  | undefined

function causesOf(
  attempt: Attempt,
  secrets: NonNullable<Target['secrets']>,
  rules: DiagnosisRules,
): ReturnType<typeof examineRequest> {
  if (latest?.attempt !== attempt) {
    latest = {
      attempt,
      causes: examineRequest(requestOf(attempt), secrets, rules),
    }
  }
  return latest.causes
}

function summary(attempt: Attempt): AttemptSummary {
  const { number, at, note, change } = attempt
  const { status, error, duration: ms } = (attempt.response && unpack(attempt.response)) ?? {}
  return { number, at, note, change, dot: dotOf(attempt), status, error, ms }
}

export type { CaptureBody }
