import { publicUrlOf, wait } from '@webhook-receiver/core/internal'
import { signDelivery } from '@webhook-receiver/core/testing'
import { type Fault, type FaultPlan, tamperingOf } from '../fault.ts'
import { type SendOptions, sendRequest } from '../request/send.ts'
import { type SignedRequest, sentTimestamp } from '../request/sign-again.ts'
import { signTampered } from '../request/tampering.ts'
import { wireHeaders } from '../request/wire-headers.ts'
import type { ResolvedOptions } from '../resolved-options.ts'
import { writeTimestamp } from '../timestamp.ts'
import type { Webhook } from '../webhooks/registry.ts'
import type { Listeners } from './listeners.ts'
import { betterOutcome, type OpenReport, type Outcome, outcomeOf, snapshot } from './report.ts'

/** One delivery to one webhook. */
export interface DeliveryJob {
  readonly webhook: Webhook
  /** Its content. @default a sample */
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly plan: FaultPlan
  readonly report: OpenReport
  /** Its position among the deliveries of its webhook. */
  readonly position: number
}

/**
 * Sends a delivery until it has its outcome: the first attempt with the planned fault, then retries
 * by the schedule. Resolves soon after `signal` is aborted. Never rejects.
 */
export async function deliver(
  { webhook, data, plan, report, position }: DeliveryJob,
  options: ResolvedOptions,
  listeners: Listeners,
  signal: AbortSignal,
): Promise<void> {
  const { url, secret, order } = webhook
  const { now, timeout, scheme, publicUrl } = options
  const { id, event, instanceId, createdAt } = report
  const signed = publicUrlOf(publicUrl ?? url.origin, `${url.pathname}${url.search}`)
  /** Retries have the same body. */
  let whole: Uint8Array | undefined

  async function sign(): Promise<SignedRequest> {
    const time = whole ? now() : createdAt
    const { headers, body } = await signDelivery(secret, whole ?? data ?? event, {
      ...{ scheme, id, event, instanceId, url: signed, now: () => time },
      ...{ timestamp: writeTimestamp(time, options.timestampForm) },
    })
    whole = body
    return { headers: [...Object.entries(headers), USER_AGENT], body }
  }

  async function attempt(
    signed: SignedRequest,
    fault?: Fault,
    how: Omit<SendOptions, 'timeout' | 'signal'> = {},
  ): Promise<Outcome> {
    if (signal.aborted) return 'pending'
    const at = now()
    const request = { at, fault, ...signed, headers: wireHeaders(signed.headers, url, signed.body) }
    listeners.notify('request', request, snapshot(report))
    const response = await sendRequest({ url, ...signed }, { timeout, signal, ...how })
    const { status, error, body: responseBody, duration } = response
    const outcome = outcomeOf(status, scheme.name)
    const record = {
      number: report.attempts.length + 1,
      at,
      fault,
      timestamp: sentTimestamp(scheme, signed.headers) ?? '',
      status,
      responseBody,
      error,
      duration: duration / 1000,
      wronglyAccepted: tamperingOf(fault) !== undefined && outcome === 'delivered',
    }
    report.attempts.push(record)
    listeners.notify('attempt', record, snapshot(report), { request, response })
    return outcome
  }

  async function firstAttempt(delivery: SignedRequest): Promise<Outcome> {
    const { fault, share } = plan
    const pause = options.faultDelay * 1000
    const tampering = tamperingOf(fault)
    if (tampering) {
      const skew = options.faultSkew * 1000
      const signing = { scheme, secret, now: now(), url: signed, id, event }
      const copy = await signTampered(delivery, signing, tampering, skew)
      // The response to the copy does not decide the outcome of the delivery.
      await attempt(copy, fault)
      return attempt(delivery)
    }
    switch (fault) {
      case 'duplicate':
        return betterOutcome(await attempt(delivery), await attempt(delivery, fault))
      case 'concurrent-duplicate':
        return betterOutcome(...(await Promise.all([attempt(delivery), attempt(delivery, fault)])))
      case 'reorder':
        await order.waitForLater(position, pause, signal)
        return attempt(delivery, fault)
      case 'delay':
        await wait(pause * (0.5 + share / 2), signal)
        return attempt(delivery, fault)
      case 'drop': {
        const dropAfter = 1 + Math.floor(share * (delivery.body.length - 1))
        return attempt(delivery, fault, { dropAfter })
      }
      case 'slow-body':
        return attempt(delivery, fault, { slowFor: pause })
      default:
        return attempt(delivery)
    }
  }

  let outcome = await firstAttempt(await sign())
  order.responded(position)
  const over = AbortSignal.any([signal, webhook.ended.signal])
  for (const seconds of options.retries) {
    if (outcome !== 'pending' || over.aborted) break
    const delay = seconds * 1000
    listeners.notify('retry', now() + delay, snapshot(report))
    await wait(delay, over)
    if (over.aborted) break
    outcome = await attempt(await sign())
  }
  if (outcome === 'rejected') webhook.ended.abort()
  report.outcome = outcome === 'pending' ? (over.aborted ? 'stopped' : 'exhausted') : outcome
  listeners.notify('delivery', snapshot(report))
}

const USER_AGENT = ['User-Agent', 'webhook-receiver-emulator'] as const
