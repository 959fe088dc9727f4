import type { Diagnosis } from './failure-groups.ts'
import type { ProbeResult, Verdict } from './probe.ts'

/** The result of a run. */
export interface Report {
  readonly url: string
  readonly event: string
  /** Whether an observer counted the runs of the handler. */
  readonly observed: boolean
  readonly results: readonly ProbeResult[]
  readonly diagnoses: readonly Diagnosis[]
}

const VERDICTS: readonly Verdict[] = ['passed', 'failed', 'not observable', 'skipped']

export function summary({ results }: Report): Readonly<Record<Verdict, number>> {
  const count = (wanted: Verdict) => results.filter(({ verdict }) => verdict === wanted).length
  // Built of the very keys that its type names.
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(verdict)])) as Record<
    Verdict,
    number
  >
}

/** The report as one value for JSON. */
export function jsonReport(report: Report): object {
  const { url, event, observed, results, diagnoses } = report
  return {
    url,
    event,
    effects: observed ? 'observed' : 'not observed',
    ok: results.every(({ verdict }) => verdict !== 'failed'),
    summary: summary(report),
    probes: results.map(({ probe, verdict, observed, problems, note }) => {
      const diagnosis = diagnoses.find(({ probes }) => probes.includes(probe.id))?.fault
      return {
        id: probe.id,
        group: probe.group,
        sends: probe.sends,
        expects: probe.expects,
        verdict,
        observed,
        problems,
        ...(note !== undefined && { note }),
        ...(diagnosis !== undefined && { diagnosis }),
      }
    }),
    diagnoses: diagnoses.map(({ fault, ...rest }) => ({ code: fault, ...rest })),
  }
}
