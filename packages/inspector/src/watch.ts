import type { DeliveryReport, Emulator } from '@webhook-receiver/emulator'
import { type SentRequest, tamperingOf } from '@webhook-receiver/emulator/internal'
import { type Attempt, type Delivery, type Journal, pack } from './journal.ts'
import { makeTarget, pathOf, type Target } from './targets.ts'
import { type VerificationRules, verdictOf } from './verification.ts'

/** Records what an emulator sends from now on. */
export function watchEmulator(
  emulator: Emulator<string>,
  journal: Journal,
  targets: Map<string, Target>,
  rules: VerificationRules,
): void {
  const open = new Map<string, Delivery>()
  const underWay = new Map<SentRequest, Attempt>()

  function deliveryOf(report: DeliveryReport): Delivery {
    const known = open.get(keyOf(report))
    if (known) return known
    const { webhook, url, createdAt: at, event, id, fault } = report
    if (!targets.has(webhook)) targets.set(webhook, makeTarget(url, undefined, webhook))
    const note = tamperingOf(fault) ? 'after a tampered copy' : fault
    const about = { at, event, id, target: webhook, note }
    const added = journal.add({ origin: 'service', ...about })
    open.set(keyOf(report), added)
    return added
  }

  emulator.on('request', (request, report) => {
    const delivery = deliveryOf(report)
    const target = targets.get(report.webhook) ?? makeTarget(report.url)
    const { at, fault, headers, body } = request
    const wire = { method: 'POST', target: pathOf(target), httpVersion: '1.1', headers, body }
    const change = tamperingOf(fault)
    const attempt = journal.addAttempt(delivery, wire, at, { note: fault, change })
    underWay.set(request, attempt)
    void verdictOf(wire, target.secrets, at, rules).then((verdict) => {
      attempt.verdict = verdict
      journal.changed(delivery)
    })
  })
  emulator.on('attempt', (_, report, { request, response }) => {
    const attempt = underWay.get(request)
    underWay.delete(request)
    if (attempt === undefined) return
    attempt.response = pack(response)
    journal.changed(deliveryOf(report))
  })
  emulator.on('retry', (at, report) => {
    const delivery = deliveryOf(report)
    delivery.retryAt = at
    journal.changed(delivery)
  })
  emulator.on('delivery', (report) => {
    const delivery = open.get(keyOf(report))
    open.delete(keyOf(report))
    if (delivery === undefined) return
    delivery.outcome = report.outcome
    delivery.retryAt = undefined
    journal.changed(delivery)
  })
}

function keyOf({ webhook, id }: DeliveryReport): string {
  return `${webhook} ${id}`
}
