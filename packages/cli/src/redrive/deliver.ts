import type { Secrets } from '@webhook-receiver/core'
import { signAgain } from '@webhook-receiver/emulator/request'
import type { KeptRequest } from '@webhook-receiver/quarantine'
import { printable } from '../printable.ts'
import { type Answer, isAccepted, sendRequest } from '../send-request.ts'

/** The receiver has another secret than we, or what answers is no receiver: nothing else can be delivered either. */
export class WrongReceiver extends Error {}

interface Delivering {
  readonly secrets: Exclude<Secrets, undefined>
  /** In seconds. */
  readonly timeout: number
  readonly signal: AbortSignal
  readonly now: () => number
}

/**
 * Sends a delivery with a current timestamp and a signature to match, since the old one is too old by now. Its `id` stays, so
 * the store of the receiver knows what was handled before. Rejects unless the receiver answers 2xx.
 *
 * What answers 2xx to everything handles nothing, and the files would be removed. So the first request has no signature.
 */
export function deliverTo(
  url: URL,
  { secrets, timeout, signal, now }: Delivering,
): (received: unknown, request: KeptRequest) => Promise<void> {
  const secret = firstOf(secrets)
  let isChecked = false
  return async (_received, request) => {
    const { method, body } = request
    if (!isChecked) isChecked = await checkReceiver()
    const { headers } = await signAgain(request, secret, now())
    const answer = await sendRequest({ method, url, headers, body }, { timeout, signal })
    if (isAccepted(answer)) return
    if (answer.status === 401) {
      throw new WrongReceiver(
        'The receiver answered 401 to what this secret signs: it has another secret, or its clock is wrong.',
      )
    }
    throw notAccepted(answer)
  }

  /** Whether it is clear that the receiver verifies: a 503 may come from what stands in front of it. */
  async function checkReceiver(): Promise<boolean> {
    const headers = [['Content-Type', 'application/json']] as const
    const unsigned = { method: 'POST', url, headers, body: Buffer.from('{}') }
    const answer = await sendRequest(unsigned, { timeout, signal })
    const { status } = answer
    if (status === undefined) throw notAccepted(answer)
    if (!isAccepted(answer)) return status >= 400 && status < 500
    throw new WrongReceiver(
      `${url.origin}${url.pathname} answered ${status} to a request without a signature, so it is no receiver that verifies. Is the address of --to right?`,
    )
  }
}

function notAccepted({ status, error = '' }: Answer): Error {
  return new Error(
    status === undefined ? `no answer (${printable(error)})` : `the receiver answered ${status}`,
  )
}

/** Of several secrets the first one, which the receiver has to have too. */
function firstOf(secrets: Exclude<Secrets, undefined>): string {
  if (typeof secrets === 'string') return secrets
  return Object.values(secrets).find((secret) => secret !== undefined) ?? ''
}
