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

/** What a server made of a request, and below it the fix; `isValid` is what listen found, if it has verified it. */
export function serverLines(
  { status, error, duration }: Forwarded,
  isValid: boolean | undefined,
): readonly string[] {
  if (status === undefined) return [`Your server: ${noResponse(error)}.`, serverAdvice(status)]
  const isAccepted = status < 300
  const took = `in ${Math.round(duration)} ms`
  const did = isAccepted ? 'accepted' : status < 500 ? 'rejected' : 'failed on'
  const found = isValid ? 'The signature is valid' : isValid === false ? 'Invalid' : 'Not verified'
  if (isValid && isAccepted) return [`${found}. Your server responded with ${status} ${took}.`]
  const advice = isAccepted ? 'It does not verify, or has another secret than listen.' : ''
  return [
    `${found}, and your server ${did} it with ${status} ${took}.`,
    ...(isValid ? [serverAdvice(status)] : isValid === false && advice ? [advice] : []),
  ]
}
