import { expect, test } from 'vitest'
import { FAULTS } from '../../src/doctor/faults.ts'
import { PROBES } from '../../src/doctor/probes/index.ts'

test('what is sent fits into the column of the table', () => {
  expect(PROBES.filter(({ id, sends }) => id.length > 25 || sends.length > 40)).toEqual([])
  expect(new Set(PROBES.map(({ id }) => id)).size).toBe(PROBES.length)
})

test('a cause and a fix are sentences', () => {
  for (const [cause, fix] of Object.values(FAULTS)) {
    expect([cause, fix]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
  }
})
