import { CONTRACT_HEADERS, printError, wait } from '@webhook-receiver/core/adapter'
import { signDelivery, type WireDelivery } from '@webhook-receiver/core/testing'
import { type Fault, type FaultPlan, TAMPERED } from '../fault.ts'
import { headerValue } from '../request/headers.ts'
import { type SendOptions, sendRequest } from '../request/send.ts'
import type { SignedRequest } from '../request/sign-again.ts'
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
  readonly delivery: WireDelivery
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
  { webhook, delivery, plan, report, position }: DeliveryJob,
  options: ResolvedOptions,
  listeners: Listeners,
  signal: AbortSignal,
): Promise<void> {
  const { url, secret, order } = webhook
  const { now, timeout, timeScale } = options
  const scale = (seconds: number) => seconds * 1000 * timeScale

  async function sign(): Promise<SignedRequest> {
    const timestamp = writeTimestamp(now(), options.timestampForm)
    const { headers, body } = await signDelivery(secret, delivery, { timestamp })
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
    const outcome = outcomeOf(status, options.finalStatuses)
    const record = {
      number: report.attempts.length + 1,
      at,
      fault,
      timestamp: headerValue(signed.headers, CONTRACT_HEADERS.timestamp) ?? '',
      status,
      responseBody,
      error,
      duration: duration / 1000,
      wronglyAccepted: fault !== undefined && fault in TAMPERED && outcome === 'delivered',
    }
    report.attempts.push(record)
    listeners.notify('attempt', record, snapshot(report), { request, response })
    return outcome
  }

  async function firstAttempt(signed: SignedRequest): Promise<Outcome> {
    const { fault, share } = plan
    const pause = scale(options.faultDelay)
    const tampering = fault && TAMPERED[fault]
    if (tampering) {
      const skew = options.faultSkew * 1000
      const copy = await signTampered(signed, secret, now(), tampering, skew)
      // The response to the copy does not decide the outcome of the delivery.
      await attempt(copy, fault)
      return attempt(signed)
    }
    switch (fault) {
      case 'duplicate':
        return betterOutcome(await attempt(signed), await attempt(signed, fault))
      case 'concurrent-duplicate':
        return betterOutcome(...(await Promise.all([attempt(signed), attempt(signed, fault)])))
      case 'reorder':
        await order.waitForLater(position, pause, signal)
        return attempt(signed, fault)
      case 'delay':
        await wait(pause * (0.5 + share / 2), signal)
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
        return attempt(signed)
    }
  }

  async function attemptWithRestart(signed: SignedRequest): Promise<Outcome> {
    let restarted: Promise<void> | undefined
    const onSent = () => {
      restarted = restart(options.restartReceiver)
    }
    const outcome = await attempt(signed, 'restart', { onSent })
    // A hook that hangs must not keep the emulator from stopping.
    await Promise.race([restarted, aborted(signal)])
    return outcome
  }

  let signed = await sign()
  let outcome = await firstAttempt(signed)
  order.responded(position)
  for (const delay of options.retries) {
    if (outcome !== 'pending' || signal.aborted) break
    listeners.notify('retry', now() + scale(delay), snapshot(report))
    await wait(scale(delay), signal)
    if (signal.aborted) break
    if (options.resignRetries) signed = await sign()
    outcome = await attempt(signed)
  }
  report.outcome = outcome === 'pending' ? (signal.aborted ? 'stopped' : 'exhausted') : outcome
  listeners.notify('delivery', snapshot(report))
}

const USER_AGENT = ['User-Agent', 'webhook-receiver-emulator'] as const

async function restart(hook: ResolvedOptions['restartReceiver']): Promise<void> {
  try {
    await hook?.()
  } catch (error) {
    printError('[webhook-receiver] restartReceiver threw an error. The deliveries go on.', error)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
