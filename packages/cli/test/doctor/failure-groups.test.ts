import { expect, test } from 'vitest'
import type { Fault } from '../../src/doctor/faults.ts'
import { groupFailures } from '../../src/doctor/groups.ts'
import type { ProbeResult } from '../../src/doctor/probe.ts'
import { PROBES } from '../../src/doctor/probes/index.ts'

type Seen = readonly [observed: string, fault?: Fault]

/** The results of a receiver that is right but for these probes. */
function results(failed: Readonly<Record<string, Seen>>): ProbeResult[] {
  return PROBES.map((probe) => {
    const [observed, fault = probe.fault] = failed[probe.id] ?? []
    const fine = probe.group === 'valid' ? '204' : '401'
    return {
      ...probe,
      verdict: observed === undefined ? 'passed' : 'failed',
      observed: [observed ?? fine],
      problems: observed === undefined ? [] : ['wrong'],
      fault,
    }
  })
}

function folded(failed: Readonly<Record<string, Seen>>): Record<string, readonly string[]> {
  const faults = groupFailures(results(failed))
  return Object.fromEntries(faults.map(({ fault, probes }) => [fault, probes]))
}

function everyIn(group: string, observed: string): Record<string, Seen> {
  const ids = PROBES.filter((probe) => probe.group === group).map(({ id }) => id)
  return Object.fromEntries(ids.map((id) => [id, [observed] as const]))
}

test('each failure is in exactly one group', () => {
  const all = Object.fromEntries(PROBES.map(({ id }) => [id, ['500'] as const]))
  const ids = groupFailures(results(all)).flatMap(({ probes }) => probes)
  expect(ids.sort()).toEqual(PROBES.map(({ id }) => id).sort())
})

test('only spaced JSON accepted: it is written again with spaces', () => {
  const { 'valid-spaced': _, ...failed } = everyIn('valid', '401')
  expect(Object.keys(folded(failed))).toEqual(['reserialised-json'])
})

test('what a limit explains is not explained once more by a receiver that verifies nothing', () => {
  const forged = everyIn('forged', '204')
  const limited = everyIn('time', '429')
  const groups = folded({ ...forged, ...limited })
  expect(new Set(groups['rate-limited'])).toEqual(new Set(Object.keys(limited)))
  expect(new Set(groups['verifies-nothing'])).toEqual(new Set(Object.keys(forged)))
})

test('one that rejects what it does not know has verified it: a forgery gets another status', () => {
  const all = results({ ...everyIn('valid', '422'), ...everyIn('connection', '422') })
  expect(groupFailures(all).map((group) => group.fault)).toEqual(['unknown-event-rejected'])
})
