import type { Response } from '../client.ts'
import type { Probe } from '../probe.ts'
import type { Variant } from '../request.ts'
import {
  expectAccepted,
  isAccepted,
  isRejected,
  neverHandled,
  outcomes,
  problemsOf,
  type RejectionFaults,
  rejectionFault,
} from '../response.ts'

/** One request, or several, each of which is sent on a separate connection. */
type Variants = Variant | readonly Variant[]

/** Sends requests that should all be accepted. */
export function accepted(variants: Variants): Probe['run'] {
  return async (client) => {
    const requests = await client.makeAll([variants].flat())
    return expectAccepted(requests, await client.sendSeparately(requests))
  }
}

/** Sends requests that should all be rejected with a 4xx, without a handler run. */
export function rejected(
  variants: Variants,
  { expects = '4xx', also = () => false, ...faults }: RejectionExceptions = {},
): Probe['run'] {
  return async (client) => {
    const requests = await client.makeAll([variants].flat())
    const responses = await client.sendSeparately(requests)
    const right = (response: Response) => isRejected(response) || also(response)
    const wrong = responses.find((response) => !right(response))
    return {
      observed: outcomes(responses),
      problems: problemsOf(responses, right, expects),
      // If any request was accepted, that is the fault to report.
      fault: wrong && !responses.some(isAccepted) ? rejectionFault(wrong, faults) : undefined,
      effects: responses.some(also) ? [] : requests.map(neverHandled),
    }
  }
}

interface RejectionExceptions extends RejectionFaults {
  readonly expects?: string
  /** Which other responses are right. */
  readonly also?: (response: Response) => boolean
}
