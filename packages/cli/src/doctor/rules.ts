import type { Fault } from './faults.ts'
import type { Group, ProbeResult } from './probe.ts'

/** Finds one cause for several failures: returns which of the remaining failures it explains. */
export type Rule = (
  left: readonly ProbeResult[],
  all: readonly ProbeResult[],
) => { readonly fault: Fault; readonly explains: readonly ProbeResult[] } | undefined

/** The rules, the most general cause first: a receiver that verifies nothing also compares no prefix. */
export const RULES: readonly Rule[] = [
  nothingGenuine,
  verifiesNothing,
  whereFaulty('secret-unset', ['forged-no-secret'], []),
  reserialised,
  whereFaulty(
    'decoded-text',
    ['altered-newline', 'altered-mark', 'altered-replacement'],
    ['genuine-unicode', 'genuine-replacement', 'genuine-newline'],
  ),
  whereFaulty(
    'prefix-compared',
    ['forged-prefix', 'forged-truncated', 'forged-one-bit'],
    [
      // Several values come joined by a comma, and the first one is the prefix.
      'forged-two-signatures',
    ],
  ),
  whereFaulty('timestamp-unsigned', ['forged-body-only', 'time-replaced'], []),
  whereFaulty('any-timestamp', ['time-stale'], ['time-future', 'time-unreadable']),
  parserFirst,
  // Compressed bytes are not JSON either.
  whereFaulty('parse-failure-5xx', ['json-broken', 'json-other'], ['coded-gzip']),
  whereFaulty('first-piece-only', ['genuine-pieces'], ['genuine-chunked']),
  // If the handler never runs, a header is not the reason.
  whereFaulty('not-handled', ['genuine-compact'], ['header-id-reused']),
  headerId,
  unread,
]

/** A receiver that refuses every genuine delivery fails every probe that needs one. */
function nothingGenuine(left: readonly ProbeResult[], all: readonly ProbeResult[]): Found {
  const genuine = left.filter(({ probe }) => probe.group === 'genuine')
  const [first] = genuine
  const sent = all.filter(
    ({ probe, verdict }) => probe.group === 'genuine' && verdict !== 'skipped',
  )
  if (first === undefined || genuine.length < sent.length || accepted(first)) return undefined
  if (first.fault === 'unreachable' || first.fault === 'no-answer') return undefined
  const explains = left.filter(
    (result) =>
      groups('genuine', 'repetition', 'connection')(result) ||
      result.observed.every((outcome) => first.observed.includes(outcome)),
  )
  return { fault: refusalOfAll(first, all), explains }
}

function refusalOfAll(first: ProbeResult, all: readonly ProbeResult[]): Fault {
  const status = first.observed[0] ?? ''
  const forged = all.find(({ probe }) => probe.id === 'forged-secret')?.observed[0]
  if (/^3/.test(status)) return 'redirects'
  if (/^40[45]$/.test(status)) return 'wrong-path'
  if (status === '429') return 'rate-limited'
  if (/^5/.test(status)) return forged === status ? 'parser-first' : 'handler-fails'
  return forged === status ? 'wrong-secret' : 'unknown-event-refused'
}

function verifiesNothing(left: readonly ProbeResult[]): Found {
  const symptoms = ['forged-secret', 'altered-body', 'forged-one-bit']
  if (!symptoms.every((id) => left.some((one) => isProbe(one, id) && accepted(one))))
    return undefined
  const explains = left.filter(
    (result) =>
      groups('forged', 'time')(result) ||
      result.fault === 'verifies-nothing' ||
      ['size-unsigned', 'coded-gzip-inflated'].includes(result.probe.id),
  )
  return { fault: 'verifies-nothing', explains }
}

/** Refuses one format of JSON and accepts another, or accepts the MAC of the JSON that it would write itself. */
function reserialised(left: readonly ProbeResult[], all: readonly ProbeResult[]): Found {
  const refused = left.filter(({ fault, probe }) => {
    return fault === 'reserialised-json' && probe.group === 'genuine'
  })
  const forged = left.some((result) => isProbe(result, 'altered-spelling'))
  const someAccepted = all.some(
    ({ probe, verdict }) => probe.group === 'genuine' && verdict === 'passed',
  )
  if (!forged && (refused.length < 2 || !someAccepted)) return undefined
  const explains = left.filter(
    ({ probe, fault }) =>
      fault === 'reserialised-json' ||
      fault === 'decoded-text' ||
      // Compact JSON is refused where the receiver writes with spaces.
      (probe.group === 'genuine' && refused.length > 3),
  )
  return { fault: 'reserialised-json', explains }
}

/** A parser that fails before the signature is checked also fails for a forgery. */
function parserFirst(left: readonly ProbeResult[]): Found {
  if (!left.some((result) => result.fault === 'parser-first')) return undefined
  const faults: readonly Fault[] = ['parser-first', 'parse-failure-5xx', 'refusal-5xx']
  return { fault: 'parser-first', explains: left.filter(({ fault }) => faults.includes(fault)) }
}

/** Only if a plain duplicate is recognised; otherwise nothing is deduplicated at all. */
function headerId(left: readonly ProbeResult[]): Found {
  const explains = left.filter(({ fault }) => fault === 'header-id-deduplicated')
  if (explains.length === 0) return undefined
  const never = left.filter(({ fault }) => fault === 'not-deduplicated')
  const reused = explains.some((result) => isProbe(result, 'header-id-reused'))
  return never.length > 0 && !reused
    ? { fault: 'not-deduplicated', explains: [...never, ...explains] }
    : { fault: 'header-id-deduplicated', explains }
}

function unread(left: readonly ProbeResult[]): Found {
  const explains = left.filter(({ fault }) => fault === 'body-not-read')
  return explains.length === 0 ? undefined : { fault: 'body-not-read', explains }
}

type Found = ReturnType<Rule>

/** A rule that needs one of `symptoms` to have failed with this fault, and then also explains `alsoExplains`. */
function whereFaulty(
  fault: Fault,
  symptoms: readonly string[],
  alsoExplains: readonly string[],
): Rule {
  return (left) => {
    const found = left.filter(
      (result) => result.fault === fault && symptoms.includes(result.probe.id),
    )
    if (found.length === 0) return undefined
    const also = left.filter((one) => alsoExplains.includes(one.probe.id) && !found.includes(one))
    return { fault, explains: [...found, ...also] }
  }
}

function groups(...names: readonly Group[]): (result: ProbeResult) => boolean {
  return ({ probe }) => names.includes(probe.group)
}

function isProbe({ probe }: ProbeResult, id: string): boolean {
  return probe.id === id
}

function accepted({ observed }: ProbeResult): boolean {
  return observed.some((outcome) => /^2\d\d$/.test(outcome))
}
