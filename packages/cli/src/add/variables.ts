import { wrap } from '../console/index.ts'
import type { Service } from './service.ts'

/** An environment variable that the application reads. */
export interface Variable {
  readonly name: string
  /** What it is, and what it is not. */
  readonly comment: string
  /** What a new project begins with. */
  readonly value: string
  /** Whether that is one that the service does not have. */
  readonly isMadeUp?: true
}

const MADE_UP = '# made up for this machine, until you have the real one'

/** Where PostgreSQL runs that was just installed. */
export const LOCAL_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres'

export function variablesOf(service: Service): readonly Variable[] {
  const { variable, title, tokenVariable, hint, newSecret, signedBy } = service
  const token = tokenVariable && {
    name: tokenVariable,
    comment: `The verify token: a text of your choice, which you also enter at ${title}`,
    value: 'chosen',
  }
  return [
    {
      name: variable,
      comment: `${title}: ${hint}`,
      ...(signedBy === 'secret' ? { value: newSecret(), isMadeUp: true } : { value: '' }),
    },
    ...(token ? [token] : []),
  ]
}

/** The text of an example, with what is in it already; nothing is taken out, and nothing is written twice. */
export function withVariables(
  text: string,
  variables: readonly Variable[],
  hasValues = false,
): string {
  const lines = missingIn(text, variables).map(
    (each) =>
      `${commented(each.comment)}\n${hasValues ? withValue(each) : lineOf(each.name, '')}\n`,
  )
  const begun = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return begun + lines.join('')
}

function commented(text: string): string {
  return wrap(text, 2)
    .map((line) => line.replace('  ', '# '))
    .join('\n')
}

export function missingIn(text: string, variables: readonly Variable[]): readonly Variable[] {
  return variables.filter(({ name }) => !new RegExp(`^\\s*(?:export\\s+)?${name}=`, 'm').test(text))
}

/** The line of a variable, which says that its value is made up. */
export function withValue({ name, value, isMadeUp }: Variable): string {
  return `${isMadeUp ? `${MADE_UP}\n` : ''}${lineOf(name, value)}`
}

function lineOf(name: string, value: string): string {
  return `${name}=${quoted(value)}`
}

function quoted(value: string): string {
  return /^[\w./:@+=-]*$/.test(value) ? value : `"${value}"`
}
