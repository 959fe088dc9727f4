import type { Probe } from '../probe.ts'
import { delivery, type Shot, SIGNATURE, type Source, without } from '../shot.ts'
import { refusing } from './one-shot.ts'

/** Bodies that are too large. Each is written to its end before anything is read, as many clients do. */
export const sizeProbes: readonly Probe[] = [
  oversized('size-announced', 'too large by its Content-Length', large),
  oversized('size-chunked', 'too large, chunked', (source) => ({
    ...large(source),
    framing: { chunked: 65_536 },
  })),
  oversized('size-unsigned', 'too large, without a signature', (source) =>
    without(large(source), SIGNATURE),
  ),
]

function oversized(id: string, sends: string, shot: (source: Source) => Shot): Probe {
  return refusing({
    id,
    group: 'size',
    sends,
    fault: id === 'size-unsigned' ? 'headers-optional' : 'no-limit',
    faults: { unseen: 'body-not-read' },
    shots: (source) => [{ ...shot(source), send: { read_after_write: true } }],
  })
}

function large(source: Source): Shot {
  return delivery(source, { text: 'x'.repeat(source.oversize) })
}
