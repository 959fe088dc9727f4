import { endToEnd, type ReceivedResponse, sendRequest } from '@webhook-receiver/emulator/internal'
import type { Capture } from '@webhook-receiver/quarantine/internal'
import { noResponse, serverAdvice } from '../console/index.ts'
import { type ChosenScheme, targetAt } from '../options/index.ts'

/** The response of the server that a request was forwarded to, with its whole body. */
export interface Forwarded extends ReceivedResponse {
  readonly content: Uint8Array
}

/** No service waits longer for a response, in seconds. */
const TIMEOUT = 60

/** Sends a request to `url` as it came, and nowhere else: what a redirect names is not asked. */
export async function forward(
  { method, target, headers, body }: Capture,
  url: URL,
  { scheme, signal }: Pick<ChosenScheme, 'scheme'> & { readonly signal: AbortSignal },
): Promise<Forwarded> {
  const pieces: Buffer[] = []
  const onData = (piece: Buffer) => pieces.push(piece)
  const request = { method, url, target: targetAt(url, scheme, target), headers, body }
  const response = await sendRequest(request, { timeout: TIMEOUT, signal, onData })
  return { ...response, headers: endToEnd(response.headers), content: Buffer.concat(pieces) }
}

/** What a server made of a request; `isValid` is what listen found, if it has verified it. */
export function serverLine(
  { status, error, duration }: Forwarded,
  isValid: boolean | undefined,
): string {
  if (status === undefined) return `Your server: ${noResponse(error)}. ${serverAdvice(status)}`
  const did = `your server ${status < 300 ? 'accepted' : status < 500 ? 'rejected' : 'failed on'} it with ${status} in ${Math.round(duration)} ms`
  if (isValid === undefined) return `Not verified; ${did}.`
  const isAccepted = status < 300
  if (!isValid) {
    const fix = 'it does not verify, or has another secret than listen.'
    return isAccepted ? `Invalid, and ${did}: ${fix}` : `Invalid, and ${did}.`
  }
  if (isAccepted)
    return `The signature is valid. Your server responded with ${status} in ${Math.round(duration)} ms.`
  return `The signature is valid, and ${did}. ${serverAdvice(status)}`
}
