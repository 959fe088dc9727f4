import type { Fault } from '../faults.ts'
import type { Probe } from '../probe.ts'
import {
  deliveryRequest,
  type ProbeRequest,
  type ProbeSettings,
  unixSeconds,
  withHeader,
} from '../probe-request.ts'
import { refusedProbe } from './simple-probe.ts'

const DAY = 86_400

/** Authentic deliveries whose time is not now. */
export const timeProbes: readonly Probe[] = [
  timed('time-stale', 'authentic, signed a day ago', 'any-timestamp', (settings) => [
    deliveryRequest(settings, { timestamp: unixSeconds(settings, -DAY) }),
  ]),
  timed('time-future', 'authentic, signed for tomorrow', 'future-timestamp', (settings) => [
    deliveryRequest(settings, { timestamp: unixSeconds(settings, DAY) }),
  ]),
  timed(
    'time-unreadable',
    'authentic, the time is not a time',
    'unreadable-timestamp',
    (settings) =>
      ['soon', 'NaN', '-1'].map((timestamp) => deliveryRequest(settings, { timestamp })),
  ),
  timed(
    'time-replaced',
    'stale, with a fresh timestamp put in',
    'timestamp-unsigned',
    (settings) => [
      withHeader(
        deliveryRequest(settings, { timestamp: unixSeconds(settings, -DAY) }),
        'X-Webhook-Timestamp',
        () => unixSeconds(settings),
      ),
    ],
  ),
]

function timed(
  id: string,
  sends: string,
  fault: Fault,
  requests: (settings: ProbeSettings) => readonly ProbeRequest[],
): Probe {
  return refusedProbe({ id, group: 'time', sends, fault, requests })
}
