import type { FaultGroup } from './groups.ts'
import { countByVerdict } from './probe.ts'
import type { Report } from './run-doctor.ts'

/** The report as one value for JSON. */
export function jsonReport(report: Report): object {
  const { url, event, service, seconds, observed, results, faults } = report
  return {
    url,
    event,
    service,
    seconds,
    effects: observed ? 'observed' : 'not observed',
    ok: results.every(({ verdict }) => verdict !== 'failed'),
    summary: countByVerdict(results),
    probes: results.map((result) => {
      const fault = faults.find(({ probes }) => probes.includes(result.id))?.fault
      return { ...result, fault }
    }),
    faults: faults.map(coded),
    notes: report.notes.map(coded),
    not_checked: report.left,
  }
}

function coded({ fault, ...rest }: FaultGroup): object {
  return { code: fault, ...rest }
}
