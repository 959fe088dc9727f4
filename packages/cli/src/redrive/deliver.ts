import type { Received, Scheme } from '@webhook-receiver/core'
import type { Secrets } from '@webhook-receiver/core/adapter'
import { type Header, headerValue, sendRequest } from '@webhook-receiver/emulator/request'
import type { KeptRequest } from '@webhook-receiver/quarantine'
import { printable } from '../console/index.ts'
import { type ChosenScheme, canSign } from '../options/index.ts'
import { signAgain } from '../signing/sign-again.ts'

/** No other delivery can succeed either. */
export class WrongReceiver extends Error {}

interface Delivering extends ChosenScheme {
  readonly secret: Exclude<Secrets, undefined>
  /** In seconds. */
  readonly timeout: number
  readonly signal: AbortSignal
  readonly now: () => number
}

/** Without a header, the receiver would write to its log that a proxy may have removed it. A quarantine does not keep this value. */
const UNSIGNED = 'none: redrive tests whether the receiver verifies'

/** The connection could not be made. */
const NOT_CONNECTED = /\bE(?:CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)\b/

/**
 * Sends a delivery, signed again by the secret that matched if its timestamp is too old by now. Of the kept request only the body,
 * the headers of the scheme and the Content-Type are sent. Rejects unless the receiver responds 2xx.
 *
 * A server that responds 2xx to everything handles nothing, and the files would be removed. So the first request has no valid signature.
 */
export function deliverTo(
  url: URL,
  { scheme, publicUrl, secret: secrets, timeout, signal, now }: Delivering,
): (received: Received<object>, request: KeptRequest) => Promise<void> {
  let verifies = false
  return async ({ verification: { secretName = '' } }, request) => {
    const { method, body } = request
    const type = headerValue(request.headers, 'content-type') ?? 'application/json'
    const kept: readonly Header[] = [
      ...request.headers.filter(([name]) => scheme.headers.includes(name.toLowerCase())),
      ['Content-Type', type],
    ]
    if (!verifies) {
      const signature = scheme.headers.find((name) => name.includes('sign'))
      const forged: readonly Header[] = [
        [signature ?? scheme.headers[0] ?? '', UNSIGNED],
        ['Content-Type', type],
      ]
      const status = await send(method, forged, Buffer.from('{}'))
      if (isAccepted(status)) {
        throw new WrongReceiver(
          `${url.origin}${url.pathname} responded ${status} to a request without a valid signature, so it does not verify. Is the address of --to right?`,
        )
      }
      // A 5xx may come from a proxy in front of it.
      if (status >= 500) throw new Error(`the receiver responded ${status}`)
      verifies = true
    }
    const secret = typeof secrets === 'string' ? secrets : (secrets[secretName] ?? '')
    const signing = { scheme, publicUrl, secret, url, now: now() }
    const again =
      needsSignature(scheme) && (await signAgain({ ...request, headers: kept }, signing))
    const status = await send(method, again ? again.headers : kept, body)
    if (status === 401) {
      throw new WrongReceiver(
        `The receiver responded 401 to a delivery that is signed with ${secretName || 'this secret'}: it has another secret, or its clock is wrong.`,
      )
    }
    if (!isAccepted(status)) throw new Error(`the receiver responded ${status}`)
  }

  async function send(
    method: string,
    headers: readonly Header[],
    body: Uint8Array,
  ): Promise<number> {
    const outgoing = { method, url, headers, body }
    const { status, error = '' } = await sendRequest(outgoing, { timeout, signal })
    if (status !== undefined) return status
    if (!NOT_CONNECTED.test(error)) throw new Error(`no response (${printable(error)})`)
    throw new WrongReceiver(`Cannot connect to ${url.origin} (${printable(error)}).`)
  }
}

/** Without a time or URL in it, the signature of the service is as good as on the first day. */
function needsSignature(scheme: Scheme): boolean {
  return canSign(scheme) && (scheme.readTime !== undefined || scheme.signsUrl === true)
}

function isAccepted(status: number): boolean {
  return status >= 200 && status < 300
}
