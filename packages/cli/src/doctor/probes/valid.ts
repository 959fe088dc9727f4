import { withHeader } from '@webhook-receiver/emulator/internal'
import type { Runs } from '../probe.ts'
import { indented, spaced, withNewline } from './json-format.ts'
import { signaturesBeside, without } from './signature.ts'
import { accepted } from './simple.ts'

/** The event of the probes unless a real one is asked for: none that triggers anything. */
export const PROBE_EVENT = 'webhook_receiver.probe'

/** Valid deliveries, in every form that JSON and HTTP leave open. */
export const validProbes: Runs = {
  'valid-compact': accepted({}),
  'valid-indented': accepted({ format: indented }),
  'valid-spaced': accepted({ format: spaced }),
  'valid-newline': accepted({ format: withNewline }),
  'valid-unicode': accepted({ text: '👋🏽 \u2028\u2029 نعم e\u0301' }),
  'valid-replacement': accepted({ text: 'lost: \ufffd' }),
  'valid-chunked': accepted({ change: () => ({ framing: { chunked: 7 } }) }),
  'valid-pieces': accepted({
    text: '👋🏽'.repeat(500),
    change: () => ({ send: { pieces: 7, gap_ms: 15 } }),
  }),
  'valid-no-id': accepted({ change: without(({ scheme }) => [scheme.idHeader ?? '']) }),
  'valid-header-case': accepted({
    change: ({ headers }) => ({
      headers: headers.map(([name, value]) => [name.toUpperCase(), value]),
    }),
  }),
  'valid-charset': accepted({
    change: ({ headers }) => ({
      headers: withHeader(headers, 'Content-Type', 'application/json; charset=utf-8'),
    }),
  }),
  'valid-rotation': accepted([
    { change: signaturesBeside('in front') },
    { change: signaturesBeside('behind') },
  ]),
  'valid-unknown-event': accepted({ event: PROBE_EVENT }),
}
