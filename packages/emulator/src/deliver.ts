import type { SignedDelivery, WireDelivery } from '@webhook-receiver/core/testing'
import {
  type Attempt,
  type OpenReport,
  type Outcome,
  type SentRequest,
  snapshot,
} from './delivery-report.ts'
import { type Fault, type FaultPlan, isTampering } from './fault.ts'
import type { Listeners } from './listeners.ts'
import { betterOutcome, outcomeOf } from './outcome.ts'
import type { Webhook } from './registry.ts'
import type { ResolvedOptions } from './resolved-options.ts'
import { restart, unlessAborted } from './restart.ts'
import { type SendOptions, send } from './send.ts'
import { sign, tampered } from './tampering.ts'
import { wait } from './wait.ts'

/** One delivery to one webhook. */
export interface DeliveryJob {
  readonly webhook: Webhook
  readonly delivery: WireDelivery
  readonly plan: FaultPlan
  readonly report: OpenReport
  /** Its position among the deliveries of its webhook. */
  readonly position: number
}

/**
 * Sends a delivery until it has its outcome: the first attempt with the planned fault, then retries
 * by the schedule. Resolves soon after `stopSignal` is aborted. Never rejects.
 */
export async function deliver(
  { webhook, delivery, plan, report, position }: DeliveryJob,
  options: ResolvedOptions,
  listeners: Listeners,
  stopSignal: AbortSignal,
): Promise<void> {
  const scale = (seconds: number) => seconds * 1000 * options.timeScale

  async function attempt(
    signed: SignedDelivery,
    fault?: Fault,
    sendOptions: SendOptions = {},
  ): Promise<Outcome> {
    if (stopSignal.aborted) return 'pending'
    const at = options.now()
    const timestamp = signed.headers['X-Webhook-Timestamp']
    let request: SentRequest = { at, fault, headers: [], body: signed.body }
    const onHeaders: SendOptions['onHeaders'] = (headers) => {
      request = { ...request, headers }
      listeners.notify('request', request, snapshot(report))
    }
    const {
      status,
      answerHeaders = [],
      answer,
      error,
      duration,
    } = await send(
      webhook.url,
      signed,
      { ...sendOptions, onHeaders },
      options.timeout * 1000,
      stopSignal,
    )
    const outcome = outcomeOf(status, options.finalStatuses)
    const record: Attempt = {
      number: report.attempts.length + 1,
      at,
      fault,
      timestamp,
      status,
      answer,
      error,
      duration,
      wronglyAccepted: isTampering(fault) && outcome === 'delivered',
    }
    report.attempts.push(record)
    listeners.notify('attempt', record, snapshot(report), { request, answerHeaders })
    return outcome
  }

  async function firstAttempt(signed: SignedDelivery): Promise<Outcome> {
    const { fault, share } = plan
    const pause = scale(options.faultDelay)
    switch (fault) {
      case 'duplicate':
        return betterOutcome(await attempt(signed), await attempt(signed, fault))
      case 'concurrent-duplicate':
        return betterOutcome(...(await Promise.all([attempt(signed), attempt(signed, fault)])))
      case 'reorder':
        await webhook.order.waitForLater(position, pause, stopSignal)
        return attempt(signed, fault)
      case 'delay':
        await wait(pause * (0.5 + share / 2), stopSignal)
        return attempt(signed, fault)
      case 'drop': {
        const dropAfter = 1 + Math.floor(share * (signed.body.length - 1))
        return attempt(signed, fault, { dropAfter })
      }
      case 'restart':
        return attemptWithRestart(signed)
      case 'slow-body':
        return attempt(signed, fault, { slowFor: pause })
      default:
        if (isTampering(fault)) {
          const copy = await tampered(fault, plan, webhook.secret, delivery, options)
          // The answer to the copy does not decide the outcome of the delivery.
          await attempt(copy, fault)
        }
        return attempt(signed)
    }
  }

  async function attemptWithRestart(signed: SignedDelivery): Promise<Outcome> {
    let restarted: Promise<void> | undefined
    const outcome = await attempt(signed, 'restart', {
      onSent: () => {
        restarted = restart(options.restartReceiver)
      },
    })
    await unlessAborted(restarted, stopSignal)
    return outcome
  }

  let signed = await sign(webhook.secret, delivery, options)
  let outcome = await firstAttempt(signed)
  webhook.order.answered(position)
  for (const delay of options.retries) {
    if (outcome !== 'pending' || stopSignal.aborted) break
    await wait(scale(delay), stopSignal)
    if (stopSignal.aborted) break
    if (options.resignRetries) signed = await sign(webhook.secret, delivery, options)
    outcome = await attempt(signed)
  }
  report.outcome = outcome === 'pending' ? (stopSignal.aborted ? 'stopped' : 'exhausted') : outcome
  listeners.notify('delivery', snapshot(report))
}
