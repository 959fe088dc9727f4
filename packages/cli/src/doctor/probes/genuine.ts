import type { Fault } from '../faults.ts'
import { escaped, indented, numbers, reversed, spaced, withNewline } from '../json-format.ts'
import type { Probe } from '../probe.ts'
import {
  deliveryRequest,
  type ProbeRequest,
  type ProbeSettings,
  withoutHeader,
} from '../probe-request.ts'
import { acceptedProbe } from './simple-probe.ts'

/** The event of the probes unless a real one is asked for: none that triggers anything. */
export const PROBE_EVENT = 'webhook_receiver.probe'

/** Genuine deliveries, in every form that JSON and HTTP leave open. */
export const genuineProbes: readonly Probe[] = [
  genuine('genuine-compact', 'compact JSON', 'wrong-secret', (settings) =>
    deliveryRequest(settings),
  ),
  genuine('genuine-indented', 'pretty-printed JSON', 'reserialised-json', (settings) =>
    deliveryRequest(settings, { format: indented }),
  ),
  genuine('genuine-spaced', 'JSON with ", " and ": "', 'reserialised-json', (settings) =>
    deliveryRequest(settings, { format: spaced }),
  ),
  genuine('genuine-reversed', 'the keys in another order', 'reserialised-json', (settings) =>
    deliveryRequest(settings, { format: reversed }),
  ),
  genuine('genuine-newline', 'a line feed after the JSON', 'reserialised-json', (settings) =>
    deliveryRequest(settings, { format: withNewline }),
  ),
  genuine('genuine-escapes', 'escaped slashes and \\u escapes', 'reserialised-json', (settings) =>
    deliveryRequest(settings, { format: escaped, text: 'Café/№ 5 👋' }),
  ),
  genuine('genuine-numbers', 'numbers like 1.0, 1e2 and -0', 'reserialised-json', (settings) =>
    deliveryRequest(settings, { format: numbers }),
  ),
  genuine('genuine-unicode', 'emoji and U+2028, unescaped', 'decoded-text', (settings) =>
    deliveryRequest(settings, { text: '👋🏽 \u2028\u2029 نعم e\u0301' }),
  ),
  genuine('genuine-replacement', 'a literal U+FFFD', 'decoded-text', (settings) =>
    deliveryRequest(settings, { text: 'lost: \ufffd' }),
  ),
  genuine('genuine-chunked', 'a chunked body, without Content-Length', 'chunked-refused', chunked),
  genuine('genuine-pieces', 'a body that arrives in pieces', 'first-piece-only', (settings) => ({
    ...deliveryRequest(settings, { text: '👋🏽'.repeat(500) }),
    send: { pieces: 7, gap_ms: 15 },
  })),
  genuine('genuine-no-id', 'no X-Webhook-Id', 'header-id-required', (settings) =>
    withoutHeader(deliveryRequest(settings), 'X-Webhook-Id'),
  ),
  genuine('genuine-header-case', 'header names in upper case', 'header-case', upperCase),
  genuine('genuine-charset', 'a charset in Content-Type', 'media-type', withCharset),
  genuine(
    'genuine-unknown-event',
    `the event ${PROBE_EVENT}`,
    'unknown-event-refused',
    (settings) => deliveryRequest(settings, { event: PROBE_EVENT }),
  ),
]

function genuine(
  id: string,
  sends: string,
  fault: Fault,
  request: (settings: ProbeSettings) => ProbeRequest,
): Probe {
  return acceptedProbe({
    id,
    group: 'genuine',
    sends,
    fault,
    requests: (settings) => [request(settings)],
  })
}

function chunked(settings: ProbeSettings): ProbeRequest {
  return { ...deliveryRequest(settings), framing: { chunked: 7 } }
}

function upperCase(settings: ProbeSettings): ProbeRequest {
  const request = deliveryRequest(settings)
  return {
    ...request,
    headers: request.headers.map(([name, value]) => [name.toUpperCase(), value]),
  }
}

function withCharset(settings: ProbeSettings): ProbeRequest {
  const request = withoutHeader(deliveryRequest(settings), 'Content-Type')
  return {
    ...request,
    headers: [['Content-Type', 'application/json; charset=utf-8'], ...request.headers],
  }
}
