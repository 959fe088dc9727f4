import {
  answerProblems,
  expectAccepted,
  handledOnce,
  isAccepted,
  isFailure,
  isRefused,
  isStatus,
  neverHandled,
  outcomes,
} from '../answer-checks.ts'
import type { Fault } from '../faults.ts'
import type { Finding, Probe } from '../probe.ts'
import type { Answer } from '../probe-client.ts'
import { deliveryRequest, type ProbeRequest, type ProbeSettings } from '../probe-request.ts'

/** How long to wait for a second answer, in milliseconds. */
const SILENCE = 250

/** How a receiver uses a connection after its answer. */
export const connectionProbes: readonly Probe[] = [
  {
    id: 'connection-reused',
    group: 'connection',
    sends: 'one connection: three genuine ones',
    expects: '2xx three times',
    fault: 'body-not-read',
    run: async (client) => {
      const requests = [1, 2, 3].map(() => deliveryRequest(client.settings))
      return expectAccepted(requests, await client.sendOnOneConnection(requests))
    },
  },
  afterRefusals({
    id: 'connection-after-refusal',
    sends: 'one connection: two forged, one genuine',
    faultIfAccepted: 'verifies-nothing',
    refused: (settings) => [1, 2].map(() => forged(settings, 'x'.repeat(200_000))),
  }),
  afterRefusals({
    id: 'connection-after-oversize',
    sends: 'one connection: too large, then genuine',
    faultIfAccepted: 'no-limit',
    refused: (settings) => [deliveryRequest(settings, { text: 'x'.repeat(settings.oversize) })],
  }),
  {
    id: 'body-as-request',
    group: 'connection',
    sends: 'forged, a body that reads like a request',
    expects: '4xx, and nothing after it',
    fault: 'body-as-request',
    run: async (client) => {
      const inner = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
      const request = { ...forged(client.settings), body: Buffer.from(inner) }
      const [first, after] = await client.sendAndWait(request, SILENCE)
      const refused = first === undefined ? [] : answerProblems([first], isRefused, 'a 4xx')
      const followed = after !== undefined && (isStatus(after) || after.outcome === 'garbage')
      const second = followed ? ['the body was answered like another request'] : []
      return {
        observed: outcomes(first === undefined ? [] : followed ? [first, after] : [first]),
        problems: [...refused, ...second],
        ...(refused.length > 0 &&
          first !== undefined && { fault: refusedFault(first, 'verifies-nothing') }),
        effects: [],
      }
    },
  },
]

interface AfterRefusals {
  readonly id: string
  readonly sends: string
  /** The fault if they are accepted. */
  readonly faultIfAccepted: Fault
  readonly refused: (settings: ProbeSettings) => readonly ProbeRequest[]
}

/** Sends requests that should be refused, and then a genuine one, on the same connection. */
function afterRefusals({ id, sends, faultIfAccepted, refused }: AfterRefusals): Probe {
  return {
    id,
    group: 'connection',
    sends,
    expects: '4xx, then 2xx there or on a new connection',
    fault: 'body-not-read',
    run: async (client) => {
      const refusedRequests = refused(client.settings)
      const genuine = deliveryRequest(client.settings)
      return findingOf(
        refusedRequests,
        genuine,
        faultIfAccepted,
        await client.sendOnOneConnection([...refusedRequests, genuine]),
      )
    },
  }
}

function findingOf(
  refusedRequests: readonly ProbeRequest[],
  genuine: ProbeRequest,
  faultIfAccepted: Fault,
  answers: readonly Answer[],
): Finding {
  const refusals = answers.slice(0, refusedRequests.length)
  const wrong = refusals.find((answer) => isStatus(answer) && !isRefused(answer))
  const right = (answer: Answer) =>
    refusals.includes(answer) ? isRefused(answer) : isAccepted(answer)
  return {
    observed: outcomes(answers),
    problems: answerProblems(answers, right, (answer) =>
      refusals.includes(answer) ? 'a 4xx' : 'a 2xx',
    ),
    ...(wrong !== undefined && { fault: refusedFault(wrong, faultIfAccepted) }),
    effects: [...refusedRequests.map(neverHandled), handledOnce(genuine)],
  }
}

function forged(settings: ProbeSettings, text = ''): ProbeRequest {
  return deliveryRequest(settings, { text, secret: 'whsec_another' })
}

function refusedFault(answer: Answer, faultIfAccepted: Fault): Fault {
  if (isAccepted(answer)) return faultIfAccepted
  if (isFailure(answer)) return 'refusal-5xx'
  return isStatus(answer) ? 'redirects' : 'body-not-read'
}
