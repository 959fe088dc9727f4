import type { Fault } from '../faults.ts'
import type { Probe } from '../probe.ts'
import { changed, delivery, type Shot, type Source, seconds } from '../shot.ts'
import { refusing } from './one-shot.ts'

const DAY = 86_400

/** Authentic deliveries whose time is not now. */
export const timeProbes: readonly Probe[] = [
  timed('time-stale', 'authentic, signed a day ago', 'any-timestamp', (source) => [
    delivery(source, { timestamp: seconds(source, -DAY) }),
  ]),
  timed('time-future', 'authentic, signed for tomorrow', 'future-timestamp', (source) => [
    delivery(source, { timestamp: seconds(source, DAY) }),
  ]),
  timed('time-unreadable', 'authentic, the time is no time', 'unreadable-timestamp', (source) =>
    ['soon', 'NaN', '-1'].map((timestamp) => delivery(source, { timestamp })),
  ),
  timed('time-replaced', 'stale, with a fresh timestamp put in', 'timestamp-unsigned', (source) => [
    changed(delivery(source, { timestamp: seconds(source, -DAY) }), 'X-Webhook-Timestamp', () =>
      seconds(source),
    ),
  ]),
]

function timed(
  id: string,
  sends: string,
  fault: Fault,
  shots: (source: Source) => readonly Shot[],
): Probe {
  return refusing({ id, group: 'time', sends, fault, shots })
}
