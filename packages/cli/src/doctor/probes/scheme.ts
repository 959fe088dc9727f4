import { sendsForms } from '../../signing/form.ts'
import type { Probe } from '../probe.ts'
import type { ProbeRequest } from '../request.ts'
import { expectAccepted, handledOnce } from '../response.ts'
import { type SchemeSettings, type SchemeVariant, schemeRequest } from '../scheme-request.ts'
import { accepted, rejectedIn } from './simple.ts'

/** The probes that make sense for any service whose secret is shared. The first one tells whether there is any response. */
export function schemeProbes(settings: SchemeSettings): readonly Probe[] {
  const { scheme, oversize } = settings
  const make = (variant?: SchemeVariant) => schemeRequest(settings, variant)
  const one = (variant?: SchemeVariant) => async () => [await make(variant)]
  const isForm = sendsForms(scheme)
  const [forged, mistimed] = [rejectedIn('forged'), rejectedIn('time')]
  const oversized = rejectedIn('size', { noResponse: 'body-not-read' })
  const invalid = rejectedIn('invalid')
  const probes: readonly (Probe | false)[] = [
    accepted('valid-compact', 'a valid delivery', 'wrong-secret', one()),
    !isForm &&
      accepted(
        'valid-indented',
        'pretty-printed JSON',
        'reserialised-json',
        one({ write: indented }),
      ),
    accepted(
      'valid-unicode',
      'emoji and U+2028',
      'decoded-text',
      one({ text: '👋🏽 \u2028 e\u0301' }),
    ),
    accepted(
      'valid-chunked',
      'a chunked body, without Content-Length',
      'chunked-rejected',
      one({ change: () => ({ framing: { chunked: 7 } }) }),
    ),
    accepted(
      'valid-header-case',
      'header names in upper case',
      'header-case',
      one({ change: upper }),
    ),
    forged(
      'forged-secret',
      'signed with another secret',
      'verifies-nothing',
      one({ tamper: 'wrong-secret' }),
    ),
    forged(
      'forged-no-signature',
      'without the headers of the signature',
      'headers-optional',
      one({
        change: ({ headers }) => ({
          headers: headers.filter(([name]) => !scheme.headers.includes(name)),
        }),
      }),
    ),
    forged(
      'altered-body',
      'one character of the body changed',
      'verifies-nothing',
      one({ change: altered }),
    ),
    forged(
      'altered-newline',
      'a line feed added',
      'decoded-text',
      one({
        change: ({ body }) => ({ body: Buffer.concat([body, Buffer.from('\n')]) }),
      }),
    ),
    Number.isFinite(scheme.tolerance) &&
      mistimed(
        'time-stale',
        'a valid signature of yesterday',
        'any-timestamp',
        one({ tamper: 'stale' }),
      ),
    oversized(
      'size-announced',
      'too large by its Content-Length',
      'no-limit',
      one({
        text: 'x'.repeat(oversize),
        change: () => ({ send: { read_after_write: true } }),
      }),
    ),
    invalid(
      'method-put',
      'a valid delivery by PUT',
      'method',
      one({ change: () => ({ method: 'PUT' }) }),
    ),
    !isForm &&
      invalid('json-broken', 'signed, but no JSON', 'unreadable-accepted', one({ write: cutOff }), {
        failure: 'parse-failure-5xx',
      }),
    scheme.hasId && {
      id: 'duplicate',
      group: 'repetition',
      sends: 'the same delivery twice',
      expects: '2xx twice, handled once',
      fault: 'duplicate-rejected',
      run: async (client) => {
        const request = await make()
        const responses = await client.sendSeparately([request, request])
        const once = { ...handledOnce(request), faultIfMore: 'not-deduplicated' } as const
        return { ...expectAccepted([], responses), effects: [once], needsEffects: true }
      },
    },
    {
      id: 'connection-reused',
      group: 'connection',
      sends: 'one connection: three valid ones',
      expects: '2xx three times',
      fault: 'body-not-read',
      run: async (client) => {
        const requests = [await make(), await make(), await make()]
        return expectAccepted(requests, await client.sendOnOneConnection(requests))
      },
    },
  ]
  return probes.filter((probe) => probe !== false)
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2)
}

function cutOff(json: string): string {
  return json.slice(0, -1)
}

function upper({ headers }: ProbeRequest): Partial<ProbeRequest> {
  return { headers: headers.map(([name, value]) => [name.toUpperCase(), value]) }
}

/** The last letter in the other case: a JSON text of the same length. */
function altered({ body }: ProbeRequest): Partial<ProbeRequest> {
  const last = body.findLastIndex((byte) => /[a-z]/i.test(String.fromCharCode(byte)))
  return { body: Buffer.from(body.map((byte, at) => (at === last ? byte ^ 0x20 : byte))) }
}
