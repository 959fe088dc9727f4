import type {
  DeliveryReport,
  Emulator,
  Attempt as EmulatorAttempt,
  SentRequest,
} from '@webhook-receiver/emulator'
import type { WireRequest } from './exchange.ts'
import type { Attempt, Delivery, Journal } from './journal.ts'
import type { Targets } from './targets.ts'
import { type VerificationRules, verify } from './verification.ts'

/** Records what an emulator sends from now on. The function that is returned ends that. */
export function watchEmulator(
  emulator: Emulator<string>,
  journal: Journal,
  targets: Targets,
  rules: VerificationRules,
): () => void {
  const open = new Map<string, Delivery>()
  const underWay = new Map<SentRequest, Attempt>()

  function deliveryOf(report: DeliveryReport): Delivery {
    const key = keyOf(report)
    const known = open.get(key)
    if (known) return known
    const target = targets.get(report.webhook) ?? targets.add({ url: report.url }, report.webhook)
    const added = journal.add({
      origin: 'service',
      at: report.createdAt,
      event: report.event,
      instance: report.instanceId,
      id: report.id,
      target: target.id,
      note: report.fault,
    })
    open.set(key, added)
    return added
  }

  const ends = [
    emulator.on('request', (request, report) => {
      const delivery = deliveryOf(report)
      const target = targets.get(delivery.target)
      const { at, fault, headers, body } = request
      const wire: WireRequest = {
        method: 'POST',
        target: target ? `${target.url.pathname}${target.url.search}` : '/',
        httpVersion: '1.1',
        headers,
        body,
      }
      const attempt = journal.addAttempt(delivery, wire, { at, note: fault })
      underWay.set(request, attempt)
      void verify(wire, target?.secrets ?? {}, at, rules).then((verdict) => {
        attempt.verdict = verdict
        journal.changed(delivery)
      })
    }),
    emulator.on('attempt', (result, report, { request, answerHeaders }) => {
      const attempt = underWay.get(request)
      underWay.delete(request)
      if (attempt === undefined) return
      attempt.answer = answerOf(result, answerHeaders)
      journal.changed(deliveryOf(report))
    }),
    emulator.on('delivery', (report) => {
      const delivery = open.get(keyOf(report))
      open.delete(keyOf(report))
      if (delivery === undefined) return
      delivery.outcome = report.outcome
      journal.changed(delivery)
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}

function answerOf(
  { status, answer, error, duration }: EmulatorAttempt,
  headers: NonNullable<Attempt['answer']>['headers'],
): NonNullable<Attempt['answer']> {
  return { status, headers, body: answer, error, duration: duration * 1000 }
}

function keyOf({ webhook, id }: DeliveryReport): string {
  return `${webhook} ${id}`
}
