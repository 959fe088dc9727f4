import type { Paint, Style } from '../colour.ts'
import { printable } from '../printable.ts'
import type { ProbeResult, Verdict } from './probe.ts'
import { type Report, summary } from './report.ts'

const WIDTH = 100

/** The report as text of at most 100 columns. */
export function textReport(report: Report, colour: Paint): string {
  const paint: PaintVerdict = (verdict, text) => colour(COLOURS[verdict], text)
  const lines: string[] = []
  let group = ''
  for (const result of report.results) {
    if (result.probe.group !== group) {
      group = result.probe.group
      lines.push('', group)
    }
    lines.push(...row(result, paint))
  }
  for (const [index, { cause, fix, probes }] of report.diagnoses.entries()) {
    lines.push('')
    lines.push(...wrap(`${index + 1}. ${cause}`, 3, 0).map((line) => paint('failed', line)))
    lines.push(...wrap(`Fix: ${fix}`, 3))
    lines.push(...wrap(`Failed probes: ${probes.join(', ')}`, 3))
  }
  return [...lines, '', ...conclusion(report, paint), ''].join('\n')
}

function row({ probe, verdict, observed, problems }: ProbeResult, paint: PaintVerdict): string[] {
  const seen = printable(observed.join(', '))
  const fits = seen.length <= 15 ? seen : `${seen.slice(0, 14)}…`
  const first = `${probe.id.padEnd(26)}${probe.sends.padEnd(41)}${fits}`
  return [
    `  ${paint(verdict, verdict.padEnd(15))}${first}`.trimEnd(),
    ...problems.flatMap((detail) => wrap(detail, 17)),
  ]
}

function conclusion(report: Report, paint: PaintVerdict): string[] {
  const counts = Object.entries(summary(report)).filter(([, count]) => count > 0)
  const words = counts.map(([verdict, count]) => `${count} ${verdict}`).join(', ')
  const failed = report.results.some(({ verdict }) => verdict === 'failed')
  const notes = new Set(report.results.flatMap(({ note }) => (note === undefined ? [] : [note])))
  return [
    paint(failed ? 'failed' : 'passed', `${report.results.length} probes: ${words}.`),
    ...[...notes].flatMap((note) => wrap(`Not observable: ${note}.`, 0)),
    ...(report.observed
      ? []
      : wrap('The handler was not observed: only --observe can show whether it ran.', 0)),
  ]
}

/** Lines of at most 100 columns, indented; the first one by `hanging`. */
function wrap(text: string, indent: number, hanging: number = indent): string[] {
  const lines: string[] = []
  let line = ' '.repeat(hanging)
  let empty = true
  for (const word of printable(text).split(' ')) {
    if (!empty && line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = ' '.repeat(indent)
      empty = true
    }
    line += empty ? word : ` ${word}`
    empty = false
  }
  return [...lines, line]
}

type PaintVerdict = (verdict: Verdict, text: string) => string

const COLOURS: Readonly<Record<Verdict, Style>> = {
  passed: 'green',
  failed: 'red',
  'not observable': 'yellow',
  skipped: 'gray',
}
