import { gzipSync } from 'node:zlib'
import { answerProblems, expectRefused, isAccepted, isRefused } from '../answer-checks.ts'
import type { Probe } from '../probe.ts'
import {
  deliveryRequest,
  type ProbeRequest,
  type ProbeSettings,
  signedRequest,
} from '../probe-request.ts'
import { refusedProbe } from './simple-probe.ts'

/** Requests that are invalid for another reason than their signature. */
export const refusalProbes: readonly Probe[] = [
  {
    id: 'method-put',
    group: 'refusal',
    sends: 'a genuine delivery by PUT',
    expects: '4xx or 501',
    fault: 'method',
    run: async (client) => {
      const requests = [{ ...deliveryRequest(client.settings), method: 'PUT' }]
      const answers = await client.sendSeparately(requests)
      const [answer] = answers
      const finding = expectRefused(requests, answers)
      return answer?.outcome === '501' ? { ...finding, problems: [] } : finding
    },
  },
  {
    id: 'coded-gzip',
    group: 'refusal',
    sends: 'gzip, the MAC over what is sent',
    expects: '4xx, or 2xx where it is inflated after verification',
    fault: 'refusal-5xx',
    run: async (client) => {
      const request = deliveryRequest(client.settings)
      const { headers, body } = signedRequest(client.settings, gzipSync(request.body), {
        webhookId: request.id,
      })
      const answers = await client.sendSeparately([coded({ ...request, headers, body })])
      const { fault, ...finding } = expectRefused([], answers)
      const right = answerProblems(
        answers,
        (one) => isRefused(one) || isAccepted(one),
        'a 4xx or 2xx',
      )
      return { ...finding, ...(fault && { fault }), problems: right }
    },
  },
  refusedProbe({
    id: 'coded-gzip-inflated',
    group: 'refusal',
    sends: 'gzip, the MAC over what it inflates to',
    fault: 'inflates',
    requests: (settings) => [withGzip(settings)],
  }),
  refusedProbe({
    id: 'json-broken',
    group: 'refusal',
    sends: 'authentic, but no JSON',
    fault: 'unreadable-accepted',
    faults: { failure: 'parse-failure-5xx' },
    requests: (settings) => [cut(settings), signedRequest(settings, Buffer.alloc(0))],
  }),
  refusedProbe({
    id: 'json-other',
    group: 'refusal',
    sends: 'authentic JSON that is not a delivery',
    fault: 'unreadable-accepted',
    faults: { failure: 'parse-failure-5xx' },
    requests: (settings) =>
      ['null', '[]', '{}'].map((text) => signedRequest(settings, Buffer.from(text))),
  }),
  refusedProbe({
    id: 'json-broken-forged',
    group: 'refusal',
    sends: 'no JSON, signed with another secret',
    fault: 'verifies-nothing',
    faults: { failure: 'parser-first' },
    requests: (settings) => [cut({ ...settings, secret: 'whsec_another' })],
  }),
]

/** A delivery that ends in the middle, and was signed so. */
function cut(settings: ProbeSettings): ProbeRequest {
  const { body, id } = deliveryRequest(settings)
  return signedRequest(settings, body.subarray(0, -9), { webhookId: id })
}

function withGzip(settings: ProbeSettings): ProbeRequest {
  const request = deliveryRequest(settings)
  return coded({ ...request, body: gzipSync(request.body) })
}

function coded(request: ProbeRequest): ProbeRequest {
  return { ...request, headers: [...request.headers, ['Content-Encoding', 'gzip']] }
}
