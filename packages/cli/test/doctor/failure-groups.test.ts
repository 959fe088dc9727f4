import { describe, expect, test } from 'vitest'
import { FAULTS, type Fault } from '../../src/doctor/faults.ts'
import { groupFailures } from '../../src/doctor/groups.ts'
import type { ProbeResult } from '../../src/doctor/probe.ts'
import { PROBES } from '../../src/doctor/probes/index.ts'

type Seen = readonly [observed: string, fault?: Fault]

/** The results of a receiver that is right but for these probes. */
function results(failed: Readonly<Record<string, Seen>>): ProbeResult[] {
  const unknown = Object.keys(failed).filter((id) => !PROBES.some((probe) => probe.id === id))
  expect(unknown).toEqual([])
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

describe('failures are folded', () => {
  test('into none where nothing failed', () => {
    expect(folded({})).toEqual({})
  })

  test('each failure is in exactly one group', () => {
    const all = Object.fromEntries(PROBES.map(({ id }) => [id, ['500'] as const]))
    const ids = groupFailures(results(all)).flatMap(({ probes }) => probes)
    expect(ids.sort()).toEqual(PROBES.map(({ id }) => id).sort())
  })

  test('each with the cause and the fix of its fault', () => {
    expect(groupFailures(results({ 'method-put': ['200'] }))).toEqual([
      { fault: 'method', cause: FAULTS.method[0], fix: FAULTS.method[1], probes: ['method-put'] },
    ])
  })

  test('two spellings rejected and a re-serialised MAC accepted', () => {
    const failed = {
      'valid-indented': ['401'],
      'valid-newline': ['401'],
      'altered-replacement': ['204'],
      'altered-spelling': ['204'],
    } as const
    expect(folded(failed)).toEqual({ 'reserialised-json': Object.keys(failed) })
  })

  test('only spaced JSON accepted: it is written again with spaces', () => {
    const { 'valid-spaced': _, ...failed } = everyIn('valid', '401')
    expect(Object.keys(folded(failed))).toEqual(['reserialised-json'])
  })

  test('trimmed text is text, and not written again', () => {
    expect(folded({ 'valid-newline': ['401'], 'altered-newline': ['204'] })).toEqual({
      'decoded-text': ['altered-newline', 'valid-newline'],
    })
  })

  test('a receiver that verifies nothing', () => {
    const failed = { ...everyIn('forged', '204'), ...everyIn('time', '204') }
    expect(Object.keys(folded(failed))).toEqual(['verifies-nothing'])
  })

  test('a prefix, and the two signatures that begin with it', () => {
    const failed = { 'forged-one-bit': ['204'], 'forged-two-signatures': ['204'] } as const
    expect(folded(failed)).toEqual({ 'prefix-compared': Object.keys(failed) })
  })

  test('two signatures alone are not a prefix', () => {
    expect(Object.keys(folded({ 'forged-two-signatures': ['204'] }))).toEqual([
      'several-signatures',
    ])
  })

  test('stale, future and unreadable are one; future alone is not', () => {
    expect(Object.keys(folded(everyIn('time', '204'))).sort()).toEqual([
      'any-timestamp',
      'timestamp-unsigned',
    ])
    expect(Object.keys(folded({ 'time-future': ['204'] }))).toEqual(['future-timestamp'])
  })

  test('a parser that fails for a forgery ran first; for a validly signed body only, it did not', () => {
    const signed = { 'json-broken': ['500', 'parse-failure-5xx'] } as const
    const forged = { 'json-broken-forged': ['500', 'parser-first'] } as const
    expect(Object.keys(folded({ ...signed, ...forged }))).toEqual(['parser-first'])
    expect(Object.keys(folded(signed))).toEqual(['parse-failure-5xx'])
  })

  test('what runs twice in every way is not deduplicated at all', () => {
    const failed = {
      duplicate: ['204', 'not-deduplicated'],
      'duplicate-concurrent': ['204', 'not-deduplicated'],
      'header-id-changed': ['204', 'header-id-deduplicated'],
    } as const
    expect(folded(failed)).toEqual({ 'not-deduplicated': Object.keys(failed) })
  })
})

describe('a receiver that accepts nothing valid', () => {
  test.each<[Fault, string, string]>([
    ['wrong-secret', '401', '401'],
    ['unknown-event-rejected', '422', '401'],
    ['redirects', '308', '308'],
    ['wrong-path', '404', '404'],
    ['rate-limited', '429', '401'],
    ['parser-first', '500', '500'],
    ['handler-fails', '500', '401'],
  ])('%s, where it responds with %s, and %s to a forgery', (fault, valid, forged) => {
    const rejections = /^4/.test(forged) ? {} : everyIn('forged', forged)
    const all = results({
      ...everyIn('valid', valid),
      ...everyIn('connection', valid),
      ...rejections,
    }).map((result) => (result.id === 'forged-secret' ? { ...result, observed: [forged] } : result))
    expect(groupFailures(all).map((group) => group.fault)).toEqual([fault])
  })
})
