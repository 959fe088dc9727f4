import type { Paint } from './colour.ts'
import { printable } from './printable.ts'
import type { VerificationResult } from './verification.ts'

/** A result as lines of text. */
export function verificationLines(result: VerificationResult, paint: Paint): readonly string[] {
  if (result.valid) {
    const { delivery, secretName } = result
    const by = secretName === undefined ? '' : ` by ${printable(secretName)}`
    const known = delivery.known ? '' : ' (an unknown event)'
    return [
      `${paint('green', `valid${by}`)}  ${printable(delivery.event)}${known}  id ${printable(delivery.id)}  instance ${printable(delivery.data.instance_id)}`,
    ]
  }
  const { status, reason, detail, findings } = result
  return [
    `${paint('red', `refused ${status}`)}  ${reason}`,
    `  ${printable(detail)}`,
    ...findings.flatMap(({ code, certainty, message, fix }) => [
      `  ${paint('yellow', `${code} (${certainty})`)}  ${printable(message)}`,
      `  Fix: ${printable(fix)}`,
    ]),
  ]
}

/** A result as one value for JSON. */
export function verificationJson(result: VerificationResult): object {
  if (!result.valid) {
    const { valid, status, reason, detail, findings } = result
    return { valid, status, reason, detail, diagnosis: findings }
  }
  const { valid, status, delivery, secretName } = result
  return { valid, status, ...(secretName !== undefined && { secret_name: secretName }), delivery }
}
