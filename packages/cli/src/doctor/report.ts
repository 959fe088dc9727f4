import { counted, type Paint, type Style, WIDTH, wrap } from '../console/index.ts'
import type { FaultGroup } from './groups.ts'
import { countByVerdict, type ProbeResult } from './probe.ts'
import type { Report } from './run-doctor.ts'

type Verdict = ProbeResult['verdict']

const COLOURS: Readonly<Record<Verdict, Style>> = {
  passed: 'green',
  failed: 'red',
  not_observable: 'yellow',
  skipped: 'gray',
}

/** How the groups went, what is wrong and how to fix it, and one sentence at the end. `verbose` adds each probe. No line is longer than `width`. */
export function textReport(
  report: Report,
  paint: Paint,
  verbose = false,
  width: number = WIDTH,
): string {
  const { results, faults } = report
  const shown = verbose
    ? results.flatMap((one) => row(one, paint, width))
    : groupLines(results, paint)
  const causes = faults.flatMap((group) => [
    '',
    ...faultLines(group, results, paint, verbose, width),
  ])
  return [
    ...shown,
    ...causes,
    '',
    ...closing(report, paint, width),
    ...noteLines(report, width),
    '',
  ].join('\n')
}

/** What a right receiver does with the probes of a group, and what they are. */
const GROUPS: Readonly<Record<ProbeResult['group'], readonly [does: string, what: string]>> = {
  valid: ['accepts', 'valid'],
  forged: ['rejects', 'forged'],
  time: ['rejects', 'with a wrong time'],
  size: ['rejects', 'too large'],
  invalid: ['rejects', 'invalid'],
  repetition: ['handles once', 'duplicates'],
  connection: ['responds correctly to', 'sent over one connection'],
}

/** A line for each group: how many of its probes passed, of those that were sent. */
function groupLines(results: readonly ProbeResult[], paint: Paint): readonly string[] {
  return [...new Set(results.map(({ group }) => group))].flatMap((name) => {
    const sent = results.filter((one) => one.group === name && /passed|failed/.test(one.verdict))
    if (sent.length === 0) return []
    const passed = sent.filter(({ verdict }) => verdict === 'passed').length
    const [does, what] = GROUPS[name]
    const line = `${does} ${passed} of ${sent.length} ${what}`
    return paint(passed < sent.length ? 'red' : 'green', line)
  })
}

/** How many probes of a fault are named. */
const MOST_NAMED = 8

/** @example ['22 of 22 forged', '6 of 8 with a wrong time'] */
function sharesOf(
  problems: readonly ProbeResult[],
  results: readonly ProbeResult[],
): readonly string[] {
  return [...new Set(problems.map(({ group }) => group))].map((name) => {
    const [failed, all] = [problems, results].map((some) =>
      some.filter(({ group }) => group === name),
    )
    return `${failed?.length} of ${all?.length} ${GROUPS[name][1]}`
  })
}

/** The cause, the fix, and the names of its probes, or how many of which group they are; `verbose`: with what each has seen. */
function faultLines(
  { cause, fix, probes }: FaultGroup,
  results: readonly ProbeResult[],
  paint: Paint,
  verbose: boolean,
  width: number,
): readonly string[] {
  const problems = results.filter(({ id }) => probes.includes(id))
  const [first = '', ...others] = wrap(cause, 2, width)
  const named =
    verbose || probes.length <= MOST_NAMED
      ? probes.join(', ')
      : `${sharesOf(problems, results).join(', ')}; --verbose names them`
  return [
    ...[first.replace('  ', '✗ '), ...others].map((line) => paint('red', line)),
    ...wrap(`Fix: ${fix}`, 2, width),
    ...wrap(`${counted(probes.length, 'probe')}: ${named}`, 2, width).map((line) =>
      paint('gray', line),
    ),
    ...(verbose
      ? problems.flatMap((one) => wrap(`${one.id}: ${one.problems.join('; ')}`, 4, width))
      : []),
  ]
}

/** What is no fault, and why. */
function noteLines({ notes }: Report, width: number): readonly string[] {
  return notes.flatMap(({ cause, fix, package: sdk, probes }) =>
    wrap(
      `Note: ${cause} ${sdk ? `The package ${sdk} does so too (${probes.join(', ')}).` : fix}`,
      2,
      width,
    ),
  )
}

/** The verdict in one line, and below it what was not checked, and why. */
function closing(report: Report, paint: Paint, width: number): readonly string[] {
  const { results, faults, observed, service, seconds, left: notSent } = report
  const { passed, failed, skipped, not_observable: unseen } = countByVerdict(results)
  const duplicates = results.filter(
    ({ group, verdict }) => group === 'repetition' && verdict === 'not_observable',
  ).length
  const sent = counted(passed + failed, 'probe')
  const how = `(${service}) in ${seconds.toFixed(1)} s`
  const verdict =
    failed > 0
      ? `✗ ${counted(faults.length, 'fault')}: ${failed} of ${sent} failed ${how}`
      : `✓ No fault found: ${sent} passed ${how}`
  const left = [
    ...(skipped > 0 ? [`${counted(skipped, 'probe')}, which would fail for the same reason`] : []),
    ...(unseen > duplicates
      ? [
          `${counted(unseen - duplicates, 'rejection')}, because your server rejects valid deliveries too`,
        ]
      : []),
    ...(duplicates > 0 ? [`duplicates${observed ? '' : ' (add --observe)'}`] : []),
    ...notSent,
  ]
  return [
    ...wrap(verdict, 0, width).map((line) => paint(failed > 0 ? 'red' : 'green', line)),
    ...(left.length > 0 ? wrap(`Not checked: ${left.join('; ')}.`, 2, width) : []),
  ]
}

/** Where a probe's name stands, and what it sends: below the name on a narrow terminal. */
const [NAME, SENDS, LONGEST] = [15, 41, 39]

function row(
  { id, sends, verdict, note }: ProbeResult,
  paint: Paint,
  width: number,
): readonly string[] {
  const isNarrow = SENDS + LONGEST > width
  return [
    `${paint(COLOURS[verdict], verdict.replace('_', ' ').padEnd(NAME))}${isNarrow ? id : `${id.padEnd(SENDS - NAME)}${sends}`}`,
    ...(isNarrow ? wrap(sends, NAME, width) : []),
    ...(note === undefined ? [] : wrap(`${note}.`, NAME, width)),
  ]
}
