import type { Received } from '@webhook-receiver/core'
import { hasWindow, publicUrlOf, type Secrets, wait } from '@webhook-receiver/core/internal'
import {
  type Header,
  headerValue,
  type OutgoingRequest,
  sendRequest,
} from '@webhook-receiver/emulator/internal'
import type { KeptRequest } from '@webhook-receiver/quarantine'
import { isSigning } from '@webhook-receiver/schemes/neighbours'
import {
  isMissing,
  isNotConnected,
  noResponse,
  noResponseWords,
  printable,
  serverAdvice,
} from '../console/index.ts'
import { type ChosenScheme, fingerprintOf, targetAt } from '../options/index.ts'
import { signAgain } from '../signing/sign-again.ts'

/** No other delivery can succeed either. */
export class WrongReceiver extends Error {}

interface Delivering extends ChosenScheme {
  readonly secret: Exclude<Secrets, undefined>
  /** In seconds. */
  readonly timeout: number
  /** Requests per second at most. */
  readonly pace: number
  readonly signal: AbortSignal
  readonly now: () => number
  /** Prints a line. */
  readonly print: (text: string) => void
}

/** Without a header, the receiver would write to its log that a proxy may have removed it. A quarantine does not keep this value. */
const UNSIGNED = 'none: redrive tests whether the receiver verifies'

/** Who it is, for the log of the server: its first request to each path is rejected. */
const AGENT: Header = ['User-Agent', 'webhook-receiver-redrive']

/**
 * Sends a delivery, signed again by the secret that matched if its timestamp is too old by now. Of the kept request only the body,
 * the headers of the scheme and the Content-Type are sent. Rejects unless the receiver responds 2xx.
 *
 * Where the URL is signed, each request goes to its own path and query at the origin of `url`, and no other URL is signed.
 *
 * A server that responds 2xx to everything handles nothing, and the files would be removed. So the first request to each path has
 * no valid signature.
 */
export function deliverTo(
  url: URL,
  { scheme, publicUrl, secret: secrets, timeout, pace, signal, now, print }: Delivering,
): (received: Received<object>, request: KeptRequest) => Promise<void> {
  /** What each path responded to a request without a valid signature. */
  const verifying = new Map<string, number>()
  let next = performance.now()
  return async ({ verification: { secretName = '' } }, request) => {
    const { method, body } = request
    const target = targetAt(url, scheme, request.target)
    await wait(next - performance.now(), signal)
    next = Math.max(next, performance.now()) + 1000 / pace
    const path = target.replace(/[?#].*/s, '')
    const type = headerValue(request.headers, 'content-type') ?? 'application/json'
    const kept: readonly Header[] = [
      ...request.headers.filter(([name]) => scheme.headers.includes(name.toLowerCase())),
      ['Content-Type', type],
      AGENT,
    ]
    if (!verifying.has(path)) {
      const signature = scheme.headers.find((name) => name.includes('sign'))
      const forged: readonly Header[] = [
        [signature ?? scheme.headers[0] ?? '', UNSIGNED],
        ['Content-Type', type],
        AGENT,
      ]
      const response = await send({ method, target, headers: forged, body: Buffer.from('{}') })
      if (isAccepted(response)) {
        throw new WrongReceiver(
          `${url.origin}${printable(path)} responded ${response.status} to a request without a valid signature, so it does not verify. Is the address of --to right?`,
        )
      }
      // A 5xx may come from a proxy in front of it.
      if (response.status >= 500 || response.status === 429) throw notAccepted(response)
      if (response.status === 401 && verifying.size === 0) {
        const each = scheme.signsUrl ? ' at each path' : ''
        print(`The first 401${each} in the log of your server is a test by redrive.`)
      }
      verifying.set(path, response.status)
    }
    const secret = typeof secrets === 'string' ? secrets : (secrets[secretName] ?? '')
    const signed = publicUrlOf(publicUrl ?? '', request.target)
    const signing = { scheme, secret, url: signed, now: now() }
    // Without a time in it, the signature of the service is as good as on the first day.
    const again =
      (scheme.readTime || scheme.expires) &&
      isSigning(scheme, secret) &&
      (await signAgain({ ...request, headers: kept }, signing))
    const headers = again ? again.headers : kept
    const response = await send({ method, target, headers, body })
    if (response.status === 401) {
      const other = scheme.signsUrl ? ' or public URL' : ''
      const clock = hasWindow(scheme) ? ', or its clock is wrong' : ''
      const age =
        isSigning(scheme, secret) || !hasWindow(scheme)
          ? ''
          : `, or the delivery is too old, and only ${scheme.name} can sign it again: handle it in the application, with redrive of @webhook-receiver/quarantine`
      throw new WrongReceiver(
        `The receiver responded 401 to a delivery that is signed with ${secretName || 'this secret'}: it has another secret${other}${clock}${age}. Give it the secret with the fingerprint ${fingerprintOf(secret)}, and run this again.`,
      )
    }
    // Not by one response: a receiver may not find what a delivery is about.
    if (isMissing(response.status) && isMissing(verifying.get(path)) && !scheme.signsUrl) {
      throw new WrongReceiver(
        `${url.origin}${printable(path)} responded ${response.status} to all requests. Check the path of --to, and run this again.`,
      )
    }
    if (!isAccepted(response)) throw notAccepted(response)
  }

  async function send(outgoing: Omit<OutgoingRequest, 'url'>): Promise<Responded> {
    const {
      status,
      headers,
      error = '',
    } = await sendRequest({ ...outgoing, url }, { timeout, signal })
    if (status !== undefined) return { status, retryAfter: headerValue(headers, 'retry-after') }
    if (!isNotConnected(error)) throw new Error(noResponse(error))
    throw new WrongReceiver(
      `Cannot connect to ${url.origin}: ${noResponseWords(error)}. ${serverAdvice(undefined, { error })} The files are kept: run this again.`,
    )
  }

  /** With what `redrive` reads of an error: it waits for Retry-After. */
  function notAccepted({ status, retryAfter }: Responded): Error {
    const message = `the receiver responded ${status}`
    if (retryAfter === undefined) return Object.assign(new Error(message), { status })
    const detail = `${message}, Retry-After: ${printable(retryAfter)}`
    print(detail)
    return Object.assign(new Error(detail), { status, headers: { 'Retry-After': retryAfter } })
  }
}

interface Responded {
  readonly status: number
  readonly retryAfter: string | undefined
}

function isAccepted({ status }: Responded): boolean {
  return status >= 200 && status < 300
}
