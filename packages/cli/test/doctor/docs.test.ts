import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { doctorCommand } from '../../src/doctor/command.ts'
import { FAULTS } from '../../src/doctor/faults.ts'
import { PROBES } from '../../src/doctor/probes/index.ts'
import { context } from './command-context.ts'
import { diagnosisTable, probeTable } from './docs-tables.ts'

const doctor = await readFile(new URL('../../../../docs/doctor.md', import.meta.url), 'utf8')

test('docs/doctor.md has the table of all probes', () => {
  expect(doctor).toContain(`\n${probeTable()}\n`)
  expect(doctor).toContain(`${PROBES.length} probes`)
})

test('docs/doctor.md has the table of all diagnoses', () => {
  expect(doctor).toContain(`\n${diagnosisTable()}\n`)
})

test('docs/doctor.md names every option of the command', () => {
  const command = doctorCommand(context().given, () => {})
  const options = command.options.map(({ long }) => long)
  expect(options).toContain('--observe')
  expect(options.filter((name) => !doctor.includes(`\`${name}`))).toEqual([])
})

test('what is sent fits into the column of the table', () => {
  expect(PROBES.filter(({ id, sends }) => id.length > 25 || sends.length > 40)).toEqual([])
  expect(new Set(PROBES.map(({ id }) => id)).size).toBe(PROBES.length)
})

test('a cause and a fix are sentences', () => {
  for (const { cause, fix } of Object.values(FAULTS)) {
    expect([cause, fix]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
  }
})
