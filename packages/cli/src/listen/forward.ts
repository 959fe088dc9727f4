import {
  endToEnd,
  headerValue,
  type ReceivedResponse,
  sendRequest,
} from '@webhook-receiver/emulator/internal'
import type { Capture } from '@webhook-receiver/quarantine/internal'
import type { Verdict } from '../captures/verdict.ts'
import { isMissing, noResponse, printable, serverAdvice } from '../console/index.ts'
import { type ChosenScheme, targetAt } from '../options/index.ts'

/** The response of the server that a request was forwarded to, with its whole body. */
export interface Forwarded extends ReceivedResponse {
  readonly content: Uint8Array
}

/** No service waits longer for a response, in seconds. */
const TIMEOUT = 60

/** After how many seconds somebody who looks at the terminal should know what it waits for. */
const SLOW = 5

/**
 * Sends a request to `url` as it came, and nowhere else: what a redirect names is not asked. `tell` gets a line while the server does not
 * respond.
 */
export async function forward(
  { method, target, headers, body }: Capture,
  url: URL,
  {
    scheme,
    signal,
    tell,
  }: Pick<ChosenScheme, 'scheme'> & {
    readonly signal: AbortSignal
    readonly tell: (line: string) => void
  },
): Promise<Forwarded> {
  const pieces: Buffer[] = []
  const onData = (piece: Buffer) => pieces.push(piece)
  const request = { method, url, target: targetAt(url, scheme, target), headers, body }
  const line = `Your server has not responded to ${method} ${request.target} for ${SLOW} s. It has ${TIMEOUT} s.`
  const timer = setTimeout(() => tell(printable(line)), SLOW * 1000)
  const response = await sendRequest(request, { timeout: TIMEOUT, signal, onData }).finally(() =>
    clearTimeout(timer),
  )
  // Nothing of a response that did not come to its end.
  const content = Buffer.concat(response.status === undefined ? [] : pieces)
  return { ...response, headers: endToEnd(response.headers), content }
}

/** What is wrong with the response of a server, and the fix; nothing where it does what it should. `verdict` is what listen found. */
export function serverProblem(
  { status, headers, error }: Forwarded,
  verdict: Verdict | undefined,
): readonly string[] {
  const isValid = verdict?.valid
  if (status === undefined)
    return [`Your server: ${noResponse(error)}.`, serverAdvice(status, { error })]
  if (status < 300) {
    if (verdict?.valid !== false) return []
    const why = /^timestamp_(?:too_old|in_future)$/.test(verdict.reason)
      ? 'does not check the time at which it was signed, or allows more'
      : 'does not verify, or has another secret than listen'
    return [`Your server accepted it: it ${why}.`]
  }
  if (isValid)
    return [
      `The signature is valid, but your server responds with ${status}.`,
      serverAdvice(status, { location: headerValue(headers, 'location') }),
    ]
  if (isValid === false && status >= 500)
    return [`Your server failed with ${status} instead of rejecting it with a 4xx.`]
  return isValid === false && isMissing(status) ? [`Your server responded with ${status}.`] : []
}
