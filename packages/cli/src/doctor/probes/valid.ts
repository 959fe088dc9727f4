import { withHeader } from '@webhook-receiver/emulator/internal'
import { indented, spaced, withNewline } from '../json-format.ts'
import type { Probe } from '../probe.ts'
import { without } from '../request.ts'
import { accepted } from './simple.ts'

/** The event of the probes unless a real one is asked for: none that triggers anything. */
export const PROBE_EVENT = 'webhook_receiver.probe'

/** Valid deliveries, in every form that JSON and HTTP leave open. */
export const validProbes: readonly Probe[] = [
  accepted('valid-compact', 'a valid delivery', 'wrong-secret', {}),
  accepted('valid-indented', 'pretty-printed JSON', 'reserialised-json', { format: indented }),
  accepted('valid-spaced', 'JSON with ", " and ": "', 'reserialised-json', { format: spaced }),
  accepted('valid-newline', 'a line feed after the JSON', 'reserialised-json', {
    format: withNewline,
  }),
  accepted('valid-unicode', 'emoji and U+2028, unescaped', 'decoded-text', {
    text: '👋🏽 \u2028\u2029 نعم e\u0301',
  }),
  accepted('valid-replacement', 'a literal U+FFFD', 'decoded-text', { text: 'lost: \ufffd' }),
  accepted('valid-chunked', 'a chunked body, without Content-Length', 'chunked-rejected', {
    change: () => ({ framing: { chunked: 7 } }),
  }),
  accepted('valid-pieces', 'a body that arrives in pieces', 'first-piece-only', {
    text: '👋🏽'.repeat(500),
    change: () => ({ send: { pieces: 7, gap_ms: 15 } }),
  }),
  accepted('valid-no-id', 'no X-Webhook-Id', 'header-id-required', {
    change: without('X-Webhook-Id'),
  }),
  accepted('valid-header-case', 'header names in upper case', 'header-case', {
    change: ({ headers }) => ({
      headers: headers.map(([name, value]) => [name.toUpperCase(), value]),
    }),
  }),
  accepted('valid-charset', 'a charset in Content-Type', 'media-type', {
    change: ({ headers }) => ({
      headers: withHeader(headers, 'Content-Type', 'application/json; charset=utf-8'),
    }),
  }),
  accepted('valid-unknown-event', `the event ${PROBE_EVENT}`, 'unknown-event-rejected', {
    event: PROBE_EVENT,
  }),
]
