import type { Probe } from '../probe.ts'
import {
  deliveryRequest,
  type ProbeRequest,
  type ProbeSettings,
  SIGNATURE,
  withoutHeader,
} from '../probe-request.ts'
import { refusedProbe } from './simple-probe.ts'

/** Bodies that are too large. Each is written to its end before anything is read, as many clients do. */
export const sizeProbes: readonly Probe[] = [
  oversized('size-announced', 'too large by its Content-Length', large),
  oversized('size-chunked', 'too large, chunked', (settings) => ({
    ...large(settings),
    framing: { chunked: 65_536 },
  })),
  oversized('size-unsigned', 'too large, without a signature', (settings) =>
    withoutHeader(large(settings), SIGNATURE),
  ),
]

function oversized(
  id: string,
  sends: string,
  request: (settings: ProbeSettings) => ProbeRequest,
): Probe {
  return refusedProbe({
    id,
    group: 'size',
    sends,
    fault: id === 'size-unsigned' ? 'headers-optional' : 'no-limit',
    faults: { noAnswer: 'body-not-read' },
    requests: (settings) => [{ ...request(settings), send: { read_after_write: true } }],
  })
}

function large(settings: ProbeSettings): ProbeRequest {
  return deliveryRequest(settings, { text: 'x'.repeat(settings.oversize) })
}
