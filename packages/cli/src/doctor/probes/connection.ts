import type { Response } from '../client.ts'
import type { Fault } from '../faults.ts'
import type { Probe, Runs } from '../probe.ts'
import type { Variant } from '../request.ts'
import {
  expectAccepted,
  handledOnce,
  isAccepted,
  isRejected,
  isStatus,
  neverHandled,
  outcomes,
  problemsOf,
  rejectionFault,
} from '../response.ts'

/** How long to wait for a second response, in milliseconds. */
const SILENCE = 250

const FORGED: Variant = { secret: 'whsec_another', text: 'x'.repeat(200_000) }

/** How a receiver uses a connection after its response. */
export const connectionProbes: Runs = {
  'connection-reused': async (client) => {
    const requests = [await client.make(), await client.make(), await client.make()]
    return expectAccepted(requests, await client.sendOnOneConnection(requests))
  },
  'connection-after-forged': afterRejections('verifies-nothing', [FORGED, FORGED]),
  'connection-after-oversize': afterRejections('no-limit', [{ large: true }]),
  'body-as-request': async (client) => {
    const body = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const request = await client.make({ ...FORGED, change: () => ({ body }) })
    const [first, after] = await client.sendAndWait(request, SILENCE)
    const followed = after !== undefined && (isStatus(after) || after.outcome === 'garbage')
    const problems = problemsOf([first], isRejected, '4xx')
    return {
      observed: outcomes(followed ? [first, after] : [first]),
      problems: followed ? [...problems, 'the body got a response like a request'] : problems,
      fault:
        problems.length > 0
          ? rejectionFault(first, { accepted: 'verifies-nothing', noResponse: 'body-not-read' })
          : undefined,
      effects: [],
    }
  },
}

/** Sends requests that should be rejected, and then a valid one, on the same connection. */
function afterRejections(accepted: Fault, variants: readonly Variant[]): Probe['run'] {
  return async (client) => {
    const rejected = await client.makeAll(variants)
    const valid = await client.make()
    const responses = await client.sendOnOneConnection([...rejected, valid])
    const rejections = responses.slice(0, rejected.length)
    const isFirst = (response: Response) => rejections.includes(response)
    const right = (response: Response) =>
      isFirst(response) ? isRejected(response) : isAccepted(response)
    const wrong = rejections.find((response) => isStatus(response) && !isRejected(response))
    return {
      observed: outcomes(responses),
      problems: problemsOf(responses, right, (one) => (isFirst(one) ? '4xx' : '2xx')),
      fault: wrong && rejectionFault(wrong, { accepted }),
      effects: [...rejected.map(neverHandled), handledOnce(valid)],
    }
  }
}
