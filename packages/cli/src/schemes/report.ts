import { printable } from '../console/index.ts'
import type { SchemeFacts } from './facts.ts'

const HEAD = ['name', 'signature', 'not signed', 'window', 'wait', 'retry']

/** One line for each scheme. */
export function schemeTable(all: readonly SchemeFacts[]): readonly string[] {
  const rows = all.map((facts) => [
    facts.name,
    signatureText(facts),
    notSigned(facts, 'form'),
    seconds(facts.tolerance) ?? 'none',
    seconds(facts.patience) ?? '–',
    facts.retries === null ? '–' : facts.retries ? 'yes' : 'no',
  ])
  const widths = HEAD.map((_, at) =>
    Math.max(...[HEAD, ...rows].map((row) => row[at]?.length ?? 0)),
  )
  return [HEAD, ...rows].map((row) =>
    printable(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  )
}

/** All that is known of one scheme. */
export function schemeLines(facts: SchemeFacts): readonly string[] {
  const { name, exported, checked, judge, retries } = facts
  const rows = {
    secret: facts.secret ?? '',
    signature: signatureText(facts),
    signed: facts.signed.join(' '),
    headers: listed(facts.headers),
    'not signed': notSigned(facts, AMBIGUOUS),
    'replay window': seconds(facts.tolerance) ?? 'none: only a store stops a replay',
    success: String(facts.success),
    waits: seconds(facts.patience) ?? 'not documented',
    retries: retries === null ? 'not documented' : retries ? 'yes' : 'no: use a queue or an inbox',
    send: facts.signs ? 'signs with the shared secret' : 'only the service can sign',
    samples: facts.samples.join(', '),
    page: facts.page ?? '',
    documentation: facts.documentation ?? '',
    checked: [checked, judge && `against ${judge}`].filter(Boolean).join(' '),
  }
  const lines = Object.entries(rows).filter(([, text]) => text !== '')
  return [
    `${facts.title === null ? name : `${facts.title}: ${name}`}${exported === name ? '' : ` (import { ${exported} })`}`,
    ...lines.map(([label, text]) => `  ${label.padEnd(14)} ${text}`),
  ].map(printable)
}

const AMBIGUOUS = 'where names and values end: two different forms can have the same signature'

function signatureText({ algorithms }: SchemeFacts): string {
  return algorithms.join(', ') || 'its own'
}

/** Such a form is signed, but for where its names and values end. */
function notSigned({ ambiguous, unsigned }: SchemeFacts, boundaries: string): string {
  if (!ambiguous) return listed(unsigned)
  return listed([...unsigned.filter((part) => part === 'id' || part === 'event'), boundaries])
}

function listed(names: readonly string[]): string {
  return names.join(', ') || '–'
}

function seconds(time: number | null): string | undefined {
  if (time === null) return undefined
  return time % 3600 === 0 ? `${time / 3600} h` : `${time} s`
}
