import { startExample } from '@webhook-receiver/checks/example.mjs'
import { FRAMEWORKS } from '@webhook-receiver/checks/lists.mjs'
import { stopPrograms } from '@webhook-receiver/checks/program.mjs'
import { afterAll, describe, expect, test } from 'vitest'
import type { ProbeResult } from '../../src/doctor/probe.ts'
import type { Report } from '../../src/doctor/run-doctor.ts'
import { doctorReport, SECRET } from './doctor-report.ts'
import { startFaulty } from './faulty-receiver.ts'

afterAll(() => stopPrograms('SIGKILL'))

describe('the doctor passes', () => {
  test.each(FRAMEWORKS)('the %s example', async (framework) => {
    const { port } = await startExample(framework, { secret: SECRET })
    const report = await doctorReport(`http://127.0.0.1:${port}/webhooks`)
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

test('for a receiver with another secret, nothing that is rejected proves anything', async () => {
  const { faults, results } = await doctorReport(await startFaulty({}, 'whsec_another'))
  expect(faults.map(({ fault }) => fault)).toEqual(['wrong-secret'])
  expect(results.find(({ id }) => id === 'forged-no-secret')?.verdict).toBe('not observable')
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
