import { FRAMEWORKS } from '@webhook-receiver/checks/lists.mjs'
import { afterAll, describe, expect, test } from 'vitest'
import type { ProbeResult } from '../../src/doctor/probe.ts'
import { textReport } from '../../src/doctor/report.ts'
import type { Report } from '../../src/doctor/run-doctor.ts'
import { doctorReport } from './doctor-report.ts'
import { COMMON, startFaulty } from './faulty-receiver.ts'
import { startExample, stopReceivers } from './receiver.ts'

afterAll(stopReceivers)

describe('the doctor passes', () => {
  test.each(FRAMEWORKS)('the %s example', async (framework) => {
    const report = await doctorReport(await startExample(framework))
    expect(failures(report)).toEqual([])
    expect(verdicts(report)).toEqual(new Set(['passed', 'not observable']))
    expect(report.results.filter(notObservable).map(({ group }) => group)).toEqual(
      Array(4).fill('repetition'),
    )
  })

  test('a plain receiver that is correct, effects included', async () => {
    const url = await startFaulty()
    const report = await doctorReport(url, { observe: new URL('/runs', url).href })
    expect(failures(report)).toEqual([])
    expect(verdicts(report)).toEqual(new Set(['passed']))
  })
})

describe('the doctor finds a receiver that', () => {
  test.each([
    ['verifies re-serialised JSON', 'reserialises', 'reserialised-json', /over the raw body/],
    ['compares a prefix of the digest', 'compares-prefix', 'prefix-compared', /timingSafeEqual/],
    ['accepts any timestamp', 'any-timestamp', 'any-timestamp', /300 s/],
    [
      'deduplicates on the header',
      'dedupes-on-header',
      'header-id-deduplicated',
      /id in the signed body/,
    ],
    ['parses before it verifies', 'parses-first', 'parser-first', /before any body parser/],
    ['leaves a rejected body unread', 'leaves-body', 'body-not-read', /Read and discard/],
  ])('%s, and nothing else in it', async (_, name, fault, fix) => {
    const url = await startFaulty(COMMON[name])
    const report = await doctorReport(url, {
      observe: new URL('/runs', url).href,
      // It never responds to some of them.
      ...(name === 'leaves-body' && { timeout: 10 }),
    })
    expect(failures(report)).not.toEqual([])
    expect(report.faults.map((group) => group.fault)).toEqual([fault])
    expect(report.faults[0]?.fix).toMatch(fix)
    const lines = textReport(report, (_, text) => text).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  test('has another secret', async () => {
    const report = await doctorReport(await startFaulty({}, 'whsec_another'))
    expect(report.faults.map(({ fault }) => fault)).toEqual(['wrong-secret'])
    expect(result(report, 'forged-no-secret').verdict).toBe('not observable')
  })
})

function failures({ results }: Report): string[] {
  return results
    .filter(({ verdict }) => verdict === 'failed')
    .map(({ id, problems }) => `${id}: ${problems.join('; ')}`)
}

function verdicts({ results }: Report): Set<string> {
  return new Set(results.map(({ verdict }) => verdict))
}

function notObservable({ verdict }: ProbeResult): boolean {
  return verdict === 'not observable'
}

function result({ results }: Report, id: string): ProbeResult {
  const found = results.find((one) => one.id === id)
  if (found === undefined) throw new Error(`there is no probe ${id}`)
  return found
}
