import { createHmac } from 'node:crypto'

/** X-Webhook-Signature for a body, as the contract has it (section 5). */
export function signature(secret: string, timestamp: string, body: Buffer): string {
  return `sha256=${digest(secret, `${timestamp}.`, body).toString('hex')}`
}

/** The MAC over any start and a body, for the signatures that are wrong on purpose. */
export function digest(secret: string, start: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(start).update(body).digest()
}
