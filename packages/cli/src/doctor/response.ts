import type { Response } from './client.ts'
import type { Fault } from './faults.ts'
import type { Effect, Observation } from './probe.ts'
import type { ProbeRequest } from './request.ts'

export function isAccepted({ outcome }: Response): boolean {
  return /^2\d\d$/.test(outcome)
}

export function isRejected({ outcome }: Response): boolean {
  return /^4\d\d$/.test(outcome)
}

export function isStatus({ outcome }: Response): boolean {
  return /^\d{3}$/.test(outcome)
}

/** What is observed of requests that should all be accepted, each handled once. */
export function expectAccepted(
  requests: readonly ProbeRequest[],
  responses: readonly Response[],
): Observation {
  return {
    observed: outcomes(responses),
    said: responses[0]?.body,
    problems: problemsOf(responses, isAccepted, '2xx'),
    effects: requests.map(handledOnce),
  }
}

/** What a wrong response shows. */
export interface RejectionFaults {
  readonly accepted?: Fault
  readonly failure?: Fault
  readonly noResponse?: Fault
}

/** The fault that a response to a request shows which should be rejected. */
export function rejectionFault(response: Response, faults: RejectionFaults): Fault | undefined {
  if (isAccepted(response)) return faults.accepted
  if (/^5/.test(response.outcome)) return faults.failure ?? 'rejection-5xx'
  return isStatus(response) ? 'redirects' : (faults.noResponse ?? silenceOf(response))
}

/** The fault where there is no response. */
export function silenceOf({ outcome }: Response): 'no-response' | 'connection-closed' {
  return outcome === 'timeout' ? 'no-response' : 'connection-closed'
}

export function problemsOf(
  responses: readonly Response[],
  right: (response: Response) => boolean,
  expected: string | ((response: Response) => string),
): string[] {
  return responses.flatMap((response, index) => {
    if (right(response)) return []
    const which = responses.length > 1 ? `request ${index + 1}: ` : ''
    const what = typeof expected === 'string' ? expected : expected(response)
    const { outcome, why } = response
    const got = `${WORDS[outcome] ?? outcome}${why === undefined ? '' : ` (${why})`}`
    return [`${which}expected ${what}, got ${got}`]
  })
}

export function outcomes(responses: readonly Response[]): string[] {
  return responses.map(({ outcome }) => outcome)
}

export function handledOnce({ id }: ProbeRequest): Effect {
  return { id, runs: 1, faultIfMore: 'handled-twice', faultIfLess: 'not-handled' }
}

export function neverHandled({ id }: ProbeRequest): Effect {
  return { id, runs: 0, faultIfMore: 'handled-unverified', faultIfLess: 'handled-unverified' }
}

const WORDS: Readonly<Record<string, string>> = {
  closed: 'a connection that was closed without a response',
  cut: 'a response that was cut off',
  garbage: 'something that is not HTTP',
  timeout: 'no response in time',
  unreachable: 'no connection',
}
