import { FAULTS } from '../../src/doctor/faults.ts'
import { PROBES } from '../../src/doctor/probes/index.ts'

/** The table of all probes in docs/doctor.md. */
export function probeTable(): string {
  const rows = PROBES.map(
    ({ id, sends, expects, fault }) => `| \`${id}\` | ${sends} | ${expects} | \`${fault}\` |`,
  )
  return [
    '| probe | what is sent | right answer | if it fails alone |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

/** The table of all diagnoses in docs/doctor.md. */
export function diagnosisTable(): string {
  const rows = Object.entries(FAULTS).map(
    ([code, { cause, fix }]) => `| \`${code}\` | ${cause} | ${fix} |`,
  )
  return ['| code | likely cause | what to do |', '| --- | --- | --- |', ...rows].join('\n')
}
