import type { Fault } from '../faults.ts'
import type { Probe } from '../probe.ts'
import { delivery, type Shot, type Source, without } from '../shot.ts'
import { escaped, indented, numbers, reversed, spaced, withNewline } from '../spelling.ts'
import { accepting } from './one-shot.ts'

/** The event of the probes unless a real one is asked for: none that triggers anything. */
export const PROBE_EVENT = 'webhook_receiver.probe'

/** Genuine deliveries, in every form that JSON and HTTP leave open. */
export const genuineProbes: readonly Probe[] = [
  genuine('genuine-compact', 'compact JSON', 'wrong-secret', (source) => delivery(source)),
  genuine('genuine-indented', 'pretty-printed JSON', 'reserialised-json', (source) =>
    delivery(source, { spelling: indented }),
  ),
  genuine('genuine-spaced', 'JSON with ", " and ": "', 'reserialised-json', (source) =>
    delivery(source, { spelling: spaced }),
  ),
  genuine('genuine-reversed', 'the keys in another order', 'reserialised-json', (source) =>
    delivery(source, { spelling: reversed }),
  ),
  genuine('genuine-newline', 'a line feed after the JSON', 'reserialised-json', (source) =>
    delivery(source, { spelling: withNewline }),
  ),
  genuine('genuine-escapes', 'escaped slashes and \\u escapes', 'reserialised-json', (source) =>
    delivery(source, { spelling: escaped, text: 'Café/№ 5 👋' }),
  ),
  genuine('genuine-numbers', 'numbers like 1.0, 1e2 and -0', 'reserialised-json', (source) =>
    delivery(source, { spelling: numbers }),
  ),
  genuine('genuine-unicode', 'emoji and U+2028, unescaped', 'decoded-text', (source) =>
    delivery(source, { text: '👋🏽 \u2028\u2029 نعم e\u0301' }),
  ),
  genuine('genuine-replacement', 'a literal U+FFFD', 'decoded-text', (source) =>
    delivery(source, { text: 'lost: \ufffd' }),
  ),
  genuine('genuine-chunked', 'a chunked body, without Content-Length', 'chunked-refused', chunked),
  genuine('genuine-pieces', 'a body that arrives in pieces', 'first-piece-only', (source) => ({
    ...delivery(source, { text: '👋🏽'.repeat(500) }),
    send: { pieces: 7, gap_ms: 15 },
  })),
  genuine('genuine-no-id', 'no X-Webhook-Id', 'header-id-required', (source) =>
    without(delivery(source), 'X-Webhook-Id'),
  ),
  genuine('genuine-header-case', 'header names in upper case', 'header-case', upperCase),
  genuine('genuine-charset', 'a charset in Content-Type', 'media-type', withCharset),
  genuine('genuine-unknown-event', `the event ${PROBE_EVENT}`, 'unknown-event-refused', (source) =>
    delivery(source, { event: PROBE_EVENT }),
  ),
]

function genuine(id: string, sends: string, fault: Fault, shot: (source: Source) => Shot): Probe {
  return accepting({ id, group: 'genuine', sends, fault, shots: (source) => [shot(source)] })
}

function chunked(source: Source): Shot {
  return { ...delivery(source), framing: { chunked: 7 } }
}

function upperCase(source: Source): Shot {
  const shot = delivery(source)
  return { ...shot, headers: shot.headers.map(([name, value]) => [name.toUpperCase(), value]) }
}

function withCharset(source: Source): Shot {
  const shot = without(delivery(source), 'Content-Type')
  return {
    ...shot,
    headers: [['Content-Type', 'application/json; charset=utf-8'], ...shot.headers],
  }
}
