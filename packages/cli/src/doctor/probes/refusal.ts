import { gzipSync } from 'node:zlib'
import { allRefused, isAccepted, isRefused, problems } from '../judge.ts'
import type { Probe } from '../probe.ts'
import { delivery, type Shot, type Source, signed } from '../shot.ts'
import { refusing } from './one-shot.ts'

/** Requests that are no delivery for another reason than their signature. */
export const refusalProbes: readonly Probe[] = [
  {
    id: 'method-put',
    group: 'refusal',
    sends: 'a genuine delivery by PUT',
    expects: '4xx or 501',
    fault: 'method',
    run: async (bench) => {
      const shots = [{ ...delivery(bench.source), method: 'PUT' }]
      const answers = await bench.each(shots)
      const [answer] = answers
      const finding = allRefused(shots, answers)
      return answer?.outcome === '501' ? { ...finding, problems: [] } : finding
    },
  },
  {
    id: 'coded-gzip',
    group: 'refusal',
    sends: 'gzip, the MAC over what is sent',
    expects: '4xx, or 2xx where it is inflated after verification',
    fault: 'refusal-5xx',
    run: async (bench) => {
      const shot = delivery(bench.source)
      const { headers, body } = signed(bench.source, gzipSync(shot.body), { webhookId: shot.id })
      const answers = await bench.each([coded({ ...shot, headers, body })])
      const { fault, ...finding } = allRefused([], answers)
      const right = problems(answers, (one) => isRefused(one) || isAccepted(one), 'a 4xx or 2xx')
      return { ...finding, ...(fault && { fault }), problems: right }
    },
  },
  refusing({
    id: 'coded-gzip-inflated',
    group: 'refusal',
    sends: 'gzip, the MAC over what it inflates to',
    fault: 'inflates',
    shots: (source) => [withGzip(source)],
  }),
  refusing({
    id: 'json-broken',
    group: 'refusal',
    sends: 'authentic, but no JSON',
    fault: 'unreadable-accepted',
    faults: { failure: 'parse-failure-5xx' },
    shots: (source) => [cut(source), signed(source, Buffer.alloc(0))],
  }),
  refusing({
    id: 'json-other',
    group: 'refusal',
    sends: 'authentic JSON that is no delivery',
    fault: 'unreadable-accepted',
    faults: { failure: 'parse-failure-5xx' },
    shots: (source) => ['null', '[]', '{}'].map((text) => signed(source, Buffer.from(text))),
  }),
  refusing({
    id: 'json-broken-forged',
    group: 'refusal',
    sends: 'no JSON, signed with another secret',
    fault: 'verifies-nothing',
    faults: { failure: 'parser-first' },
    shots: (source) => [cut({ ...source, secret: 'whsec_another' })],
  }),
]

/** A delivery that ends in the middle, and was signed so. */
function cut(source: Source): Shot {
  const { body, id } = delivery(source)
  return signed(source, body.subarray(0, -9), { webhookId: id })
}

function withGzip(source: Source): Shot {
  const shot = delivery(source)
  return coded({ ...shot, body: gzipSync(shot.body) })
}

function coded(shot: Shot): Shot {
  return { ...shot, headers: [...shot.headers, ['Content-Encoding', 'gzip']] }
}
