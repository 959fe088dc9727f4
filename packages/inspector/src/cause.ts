import { duration } from '@webhook-receiver/core/internal'
import { headerValue } from '@webhook-receiver/emulator/internal'
import { type Attempt, type Delivery, type Journal, requestOf } from './journal.ts'
import { guessOf, otherServices } from './other-services.ts'
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
    const cause = await causeOf(requestOf(attempt), attempt.verdict, secrets)
    if (cause === undefined) return
    attempt.cause = cause
    journal.changed(delivery)
  }

  async function causeOf(
    request: VerifiableRequest,
    verdict: Attempt['verdict'],
    secrets: Target['secrets'],
  ): Promise<string | undefined> {
    if (verdict?.valid === false && verdict.reason === 'signature_missing') {
      const services = await otherServices(request.headers, rules.scheme)
      return services.length === 0 ? undefined : guessOf(services, rules.scheme).said
    }
    if (secrets === undefined) return undefined
    const given = definedSecrets(secrets)
    const [found] = (await findCauses(request, given, rules)) ?? []
    if (found?.certainty !== 'certain') return undefined
    return found.code === 'body_reserialized'
      ? 'body written again'
      : found.code.replaceAll('_', ' ')
  }

  return (delivery, attempt, secrets) => {
    const { verdict, at } = attempt
    if (verdict?.valid !== false) return
    attempt.cause = shownBy(verdict.reason, requestOf(attempt), at, rules.scheme)
    if (!verdict.reason.startsWith('signature_') || waiting >= MOST_WAITING) return
    waiting += 1
    last = last.then(() => search(delivery, attempt, secrets)).catch(() => {})
  }
}

/** How old it is; `undefined` where the reason says as much. */
function shownBy(
  reason: string,
  { headers }: VerifiableRequest,
  at: number,
  { claimedTime }: AnyScheme,
): string | undefined {
  const time = claimedTime?.((header) => headerValue(headers, header))
  if (time === undefined || !/^timestamp_(?:too_old|in_future)$/.test(reason)) return undefined
  const away = duration(Math.round(Math.abs(at - time) / 1000))
  return reason === 'timestamp_too_old' ? `signed ${away} ago` : `signed ${away} from now`
}
