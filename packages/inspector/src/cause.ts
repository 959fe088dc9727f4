import { CONTRACT_HEADERS, duration, SIGNATURE_HEADERS } from '@webhook-receiver/core/internal'
import { headerValue } from '@webhook-receiver/emulator/internal'
import { type Attempt, type Delivery, type Journal, requestOf } from './journal.ts'
import type { AnyScheme } from './signed-texts.ts'
import type { Target } from './targets.ts'
import {
  type DiagnosisRules,
  definedSecrets,
  findCauses,
  type VerifiableRequest,
} from './verification.ts'

/** While so many requests wait, no cause is searched for: each keeps its body. */
const MOST_WAITING = 10

/** Adds to attempts that were rejected why, in the few words for which a row has room; one after the other. */
export function createCauses(
  journal: Journal,
  rules: DiagnosisRules & { readonly scheme: AnyScheme },
): (delivery: Delivery, attempt: Attempt, secrets: Target['secrets']) => void {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  async function search(delivery: Delivery, attempt: Attempt, secrets: Target['secrets']) {
    waiting -= 1
    if (secrets === undefined) return
    const { apiKey, ...others } = rules
    const given = definedSecrets(secrets)
    const [found] = (await findCauses(requestOf(attempt), given, apiKey, undefined, others)) ?? []
    if (found?.certainty !== 'certain') return
    attempt.cause = found.code.replaceAll('_', ' ')
    journal.changed(delivery)
  }

  return (delivery, attempt, secrets) => {
    const { verdict, at } = attempt
    if (verdict?.valid !== false) return
    attempt.cause = shownBy(verdict.reason, requestOf(attempt), at, rules.scheme)
    if (!/^signature_m(?:ismatch|alformed)$/.test(verdict.reason) || waiting >= MOST_WAITING) return
    waiting += 1
    last = last.then(() => search(delivery, attempt, secrets)).catch(() => {})
  }
}

/** What the headers show; `undefined` where the reason says as much. */
function shownBy(
  reason: string,
  { headers }: VerifiableRequest,
  at: number,
  { name, claimedTime }: AnyScheme,
): string | undefined {
  if (reason === 'signature_missing') {
    const other =
      headers.map(([header]) => SIGNATURE_HEADERS[header.toLowerCase()]).find(Boolean) ??
      (headerValue(headers, CONTRACT_HEADERS.signature) && 'the default format')
    return other ? `from ${other}, not ${name}` : undefined
  }
  const time = claimedTime?.((header) => headerValue(headers, header))
  if (time === undefined || !/^timestamp_(?:too_old|in_future)$/.test(reason)) return undefined
  const away = duration(Math.round(Math.abs(at - time) / 1000))
  return reason === 'timestamp_too_old' ? `signed ${away} ago` : `signed ${away} from now`
}
