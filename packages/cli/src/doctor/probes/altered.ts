import type { Fault } from '../faults.ts'
import { indented } from '../json-format.ts'
import type { Probe } from '../probe.ts'
import {
  deliveryRequest,
  INSTANCE,
  type ProbeRequest,
  type ProbeSettings,
  SIGNATURE,
  withHeader,
} from '../probe-request.ts'
import { signature } from '../signature.ts'
import { refusedProbe } from './simple-probe.ts'

/** Bodies that are not the bytes that were signed. */
export const alteredProbes: readonly Probe[] = [
  altered('altered-body', 'one character of the body changed', 'verifies-nothing', (request) =>
    replaced(request, Buffer.from(INSTANCE), Buffer.from(`${INSTANCE.slice(0, -1)}R`)),
  ),
  altered('altered-newline', 'a line feed added', 'decoded-text', (request) => ({
    ...request,
    body: Buffer.concat([request.body, Buffer.from('\n')]),
  })),
  altered('altered-mark', 'a byte order mark added', 'decoded-text', (request) => ({
    ...request,
    body: Buffer.concat([MARK, request.body]),
  })),
  altered('altered-replacement', 'byte FF in place of a signed U+FFFD', 'decoded-text', (request) =>
    replaced(request, Buffer.from('\ufffd'), Buffer.from([0xff])),
  ),
  refusedProbe({
    id: 'altered-spelling',
    group: 'forged',
    sends: 'indented, its MAC over compact JSON',
    fault: 'reserialised-json',
    requests: (settings) => [reserialised(settings)],
  }),
]

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

function altered(
  id: string,
  sends: string,
  fault: Fault,
  change: (request: ProbeRequest) => ProbeRequest,
): Probe {
  return refusedProbe({
    id,
    group: 'forged',
    sends,
    fault,
    requests: (settings) => [change(deliveryRequest(settings, { text: 'lost: \ufffd' }))],
  })
}

function replaced(request: ProbeRequest, from: Buffer, to: Buffer): ProbeRequest {
  const at = request.body.indexOf(from)
  const body = [request.body.subarray(0, at), to, request.body.subarray(at + from.length)]
  return { ...request, body: Buffer.concat(body) }
}

function reserialised(settings: ProbeSettings): ProbeRequest {
  const request = deliveryRequest(settings, { format: indented })
  const timestamp = request.headers.find(([name]) => name === 'X-Webhook-Timestamp')?.[1] ?? ''
  const written = Buffer.from(JSON.stringify(JSON.parse(request.body.toString())))
  return withHeader(request, SIGNATURE, () => signature(settings.secret, timestamp, written))
}
