import type { Paint } from './colour.ts'
import type { Judgement } from './judgement.ts'
import { printable } from './printable.ts'

/** A judgement in lines for a person. */
export function judgementLines(judgement: Judgement, paint: Paint): readonly string[] {
  if (judgement.valid) {
    const { delivery, secretName } = judgement
    const by = secretName === undefined ? '' : ` by ${printable(secretName)}`
    const known = delivery.known ? '' : ' (an event that is not known here)'
    return [
      `${paint('green', `valid${by}`)}  ${printable(delivery.event)}${known}  id ${printable(delivery.id)}  instance ${printable(delivery.data.instance_id)}`,
    ]
  }
  const { status, reason, detail, findings } = judgement
  return [
    `${paint('red', `refused ${status}`)}  ${reason}`,
    `  ${printable(detail)}`,
    ...findings.flatMap(({ code, certainty, message, fix }) => [
      `  ${paint('yellow', `${code} (${certainty})`)}  ${printable(message)}`,
      `  Fix: ${printable(fix)}`,
    ]),
  ]
}

/** The same for JSON. */
export function judgementJson(judgement: Judgement): object {
  if (!judgement.valid) {
    const { valid, status, reason, detail, findings } = judgement
    return { valid, status, reason, detail, diagnosis: findings }
  }
  const { valid, status, delivery, secretName } = judgement
  return { valid, status, ...(secretName !== undefined && { secret_name: secretName }), delivery }
}
