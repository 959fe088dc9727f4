import type { Fault } from './faults.ts'
import type { ProbeResult } from './probe.ts'

type Results = readonly ProbeResult[]

/** Finds one cause for several failures: returns which of the remaining failures it explains. */
export type Rule = (
  left: Results,
  all: Results,
) => { readonly fault: Fault; readonly explains: Results } | undefined

/** The rules, the most general cause first: a receiver that verifies nothing also compares no prefix. */
export const RULES: readonly Rule[] = [
  rateLimited,
  nothingValid,
  verifiesNothing,
  // Where no signature is needed, what another header holds is not looked at.
  alsoExplains('unsigned-accepted', /^forged-no-signature$/, ['forged-other-header']),
  reserialized,
  alsoExplains('decoded-text', /^altered-(?:newline|line-breaks|accents|mark|replacement)$/, [
    'valid-unicode',
    'valid-replacement',
    'valid-newline',
  ]),
  alsoExplains('lenient-decoding', /^forged-lenient$/, [
    'forged-upper-case',
    'forged-encoding',
    'forged-longer',
    'forged-two-signatures',
  ]),
  alsoExplains('embedded-signature', /^forged-embedded$/, [
    'forged-longer',
    'forged-two-signatures',
  ]),
  // Several values come joined by a comma, and the first one is the prefix.
  alsoExplains('prefix-compared', /^forged-/, ['forged-two-signatures']),
  alsoExplains('any-timestamp', /^time-stale$/, [
    'time-future',
    'time-unreadable',
    'time-loose',
    'time-elsewhere',
  ]),
  alsoExplains('unreadable-timestamp', /^time-unreadable$/, ['time-loose']),
  parserFirst,
  // Compressed bytes are not JSON either.
  alsoExplains('parse-failure-5xx', /^json-/, ['coded-gzip']),
  alsoExplains('first-piece-only', /^valid-pieces$/, ['valid-chunked']),
  // If the handler never runs, a header is not the reason.
  alsoExplains('not-handled', /^valid-compact$/, ['header-id-reused']),
  neverDeduplicated,
]

/** Any response of a limit stands for others: what it counts depends on what was sent before. */
function rateLimited(left: Results): ReturnType<Rule> {
  const explains = left.filter(({ observed }) => observed.includes('429'))
  return explains.some(({ group }) => group !== 'repetition')
    ? { fault: 'rate-limited', explains }
    : undefined
}

/** Faults of a connection, which say more than that all was rejected. */
const SILENT: readonly Fault[] = ['unreachable', 'no-response', 'connection-closed']

/** A receiver that rejects every valid delivery fails every probe that needs one. */
function nothingValid(left: Results, all: Results): ReturnType<Rule> {
  const sent = all.filter(({ group, verdict }) => group === 'valid' && verdict !== 'skipped')
  const valid = left.filter(({ group }) => group === 'valid')
  const [first] = valid
  if (first === undefined || valid.length < sent.length || isAccepted(first)) return undefined
  if (first.fault && SILENT.includes(first.fault)) return undefined
  const explains = left.filter(
    ({ group, observed }) =>
      ['valid', 'repetition', 'connection'].includes(group) ||
      observed.every((outcome) => first.observed.includes(outcome)),
  )
  const status = first.observed[0] ?? ''
  const isSame = all.find(isForgery)?.observed[0] === status
  return { fault: rejectionOfAll(status, isSame, first.said), explains }
}

function isForgery({ group, observed }: ProbeResult): boolean {
  return group === 'forged' && observed.length > 0
}

/** `isSame` is whether a forged request gets the same status. */
function rejectionOfAll(status: string, isSame: boolean, said = ''): Fault {
  if (/^3/.test(status)) return 'redirects'
  if (/^40[45]$/.test(status)) return 'wrong-path'
  if (isSame && /^40[13]$/.test(status) && (status === '403' || FOREIGN.test(said)))
    return 'in-front'
  if (/^5/.test(status)) return isSame ? 'always-fails' : 'handler-fails'
  return isSame ? 'wrong-secret' : 'unknown-event-rejected'
}

/** What no receiver of webhooks responds with: the pages and JSON of guards and proxies. */
const FOREIGN = /^\s*<|"message"\s*:\s*"(?:unauthorized|forbidden)|csrf/i

function verifiesNothing(left: Results, all: Results): ReturnType<Rule> {
  const symptoms = ['forged-secret', 'altered-body', 'forged-one-bit'].filter((wanted) =>
    all.some(({ id }) => id === wanted),
  )
  const found = left.filter((result) => symptoms.includes(result.id) && isAccepted(result))
  if (found.length < symptoms.length) return undefined
  const explains = left.filter(
    ({ id, group, fault }) =>
      group === 'forged' ||
      group === 'time' ||
      fault === 'verifies-nothing' ||
      ['size-unsigned', 'coded-gzip-inflated'].includes(id),
  )
  return { fault: 'verifies-nothing', explains }
}

/** Rejects one format of JSON and accepts another, or accepts the MAC of the JSON that it would write itself. */
function reserialized(left: Results, all: Results): ReturnType<Rule> {
  const fault = 'reserialized-json'
  const rejected = left.filter((one) => one.fault === fault)
  const isForged = left.some(({ id }) => id === 'altered-spelling')
  const someAccepted = all.some(({ group, verdict }) => group === 'valid' && verdict === 'passed')
  if (!isForged && (rejected.length < 2 || !someAccepted)) return undefined
  // Most are sent as compact JSON, which is rejected where the receiver writes with spaces.
  const writesSpaces = left.some(({ id }) => id === 'valid-compact')
  const explains = left.filter(
    (one) =>
      one.fault === fault ||
      one.fault === 'decoded-text' ||
      (one.group === 'valid' && writesSpaces),
  )
  return { fault, explains }
}

/** A parser that fails before the signature is checked also fails for a forgery. */
function parserFirst(left: Results): ReturnType<Rule> {
  const faults: readonly Fault[] = ['parser-first', 'parse-failure-5xx', 'rejection-5xx']
  const explains = left.filter(({ fault }) => faults.includes(fault))
  const isFirst = explains.some(({ fault }) => fault === 'parser-first')
  return isFirst ? { fault: 'parser-first', explains } : undefined
}

/** If a plain duplicate is not recognised, nothing is deduplicated at all: the header is not the reason. */
function neverDeduplicated(left: Results): ReturnType<Rule> {
  const isFault = (wanted: Fault) => left.filter(({ fault }) => fault === wanted)
  const never = isFault('not-deduplicated')
  const byHeader = isFault('header-id-deduplicated')
  if (never.length === 0 || byHeader.some(({ id }) => id === 'header-id-reused')) return undefined
  return { fault: 'not-deduplicated', explains: [...never, ...byHeader] }
}

/** Where a symptom failed with this fault, other failures have the same cause. */
function alsoExplains(fault: Fault, symptom: RegExp, others: readonly string[]): Rule {
  return (left) => {
    const found = left.filter((result) => result.fault === fault && symptom.test(result.id))
    const also = left.filter((one) => others.includes(one.id) && !found.includes(one))
    return found.length === 0 ? undefined : { fault, explains: [...found, ...also] }
  }
}

function isAccepted({ observed }: ProbeResult): boolean {
  return observed.some((outcome) => /^2\d\d$/.test(outcome))
}
