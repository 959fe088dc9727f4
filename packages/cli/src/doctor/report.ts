import { type Paint, type Style, wrap } from '../console/index.ts'
import type { ProbeResult } from './probe.ts'
import type { Report } from './run-doctor.ts'

type Verdict = ProbeResult['verdict']

const COLOURS: Readonly<Record<Verdict, Style>> = {
  passed: 'green',
  failed: 'red',
  'not observable': 'yellow',
  skipped: 'gray',
}

/** What is wrong and why, first; each probe only if `verbose`; and one sentence at the end. At most 80 columns. */
export function textReport(report: Report, paint: Paint, verbose = false): string {
  const { results, faults } = report
  return [
    ...faults.flatMap(({ cause, fix, probes }, index) => [
      ...wrap(`${index + 1}. ${cause}`, 0).map((line) => paint('bold', line)),
      ...wrap(`Fix: ${fix}`, 3),
      ...probes.flatMap((id) =>
        failure(
          results.find((one) => one.id === id),
          paint,
        ),
      ),
      '',
    ]),
    ...(verbose
      ? results.flatMap((one, index) => [
          ...(results[index - 1]?.group === one.group ? [] : [one.group]),
          ...row(one, paint),
          ...(results[index + 1]?.group === one.group ? [] : ['']),
        ])
      : []),
    ...wrap(closing(report), 0),
    '',
  ].join('\n')
}

/** The result in one sentence. */
function closing(report: Report): string {
  const { results, faults, observed } = report
  const { passed = 0, failed = 0, skipped = 0, 'not observable': unseen = 0 } = summary(report)
  const unobserved = [
    ...(unseen > 0 ? [`${unseen} cannot be seen from outside`] : []),
    ...(skipped > 0 ? [`${skipped} were skipped`] : []),
  ].map((text) => `, ${text}`)
  const hint = observed ? '' : ' (add --observe to check whether the handler ran)'
  if (failed === 0) {
    return `Nothing is wrong: ${passed} of ${results.length} probes passed${unobserved.join('')}${hint}.`
  }
  const causes = faults.length === 1 ? 'one cause' : `${faults.length} causes`
  return `${failed} of ${results.length} probes failed, with ${causes}${unobserved.join('')}${hint}.`
}

/** The report as one value for JSON. */
export function jsonReport(report: Report): object {
  const { url, event, observed, results, faults } = report
  return {
    url,
    event,
    effects: observed ? 'observed' : 'not observed',
    ok: results.every(({ verdict }) => verdict !== 'failed'),
    summary: summary(report),
    probes: results.map((result) => {
      const fault = faults.find(({ probes }) => probes.includes(result.id))?.fault
      return { ...result, fault }
    }),
    faults: faults.map(({ fault, ...rest }) => ({ code: fault, ...rest })),
  }
}

function summary({ results }: Report): Readonly<Record<string, number>> {
  const verdicts: readonly Verdict[] = ['passed', 'failed', 'not observable', 'skipped']
  return Object.fromEntries(
    verdicts.map((wanted) => [wanted, results.filter(({ verdict }) => verdict === wanted).length]),
  )
}

/** A probe that failed, and what was seen. */
function failure(result: ProbeResult | undefined, paint: Paint): readonly string[] {
  if (result === undefined) return []
  const { id, sends, problems } = result
  return [
    `   ${paint('red', '✗')} ${id.padEnd(26)}${sends}`,
    ...problems.flatMap((problem) => wrap(problem, 5)),
  ]
}

function row({ id, sends, verdict, note }: ProbeResult, paint: Paint): readonly string[] {
  const word = verdict === 'not observable' ? 'unseen' : verdict
  return [
    `  ${paint(COLOURS[verdict], word.padEnd(8))} ${id.padEnd(26)}${sends}`,
    ...(note === undefined ? [] : wrap(`${note}.`, 11)),
  ]
}
