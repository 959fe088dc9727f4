import type { Service } from './service.ts'

/** An environment variable that the application reads. */
export interface Variable {
  readonly name: string
  /** What it is, and what it is not. */
  readonly comment: string
  /** What a new project begins with. */
  readonly value: string
}

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
      value: signedBy === 'secret' ? newSecret() : '',
    },
    ...(token ? [token] : []),
  ]
}

/** The text of an example, with what is in it already; nothing is taken out, and nothing is written twice. */
export function withVariables(
  text: string,
  variables: readonly Variable[],
  value: (variable: Variable) => string = () => '',
): string {
  const lines = missingIn(text, variables).map(
    (each) => `# ${each.comment}\n${lineOf(each.name, value(each))}\n`,
  )
  const begun = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return begun + lines.join('')
}

export function missingIn(text: string, variables: readonly Variable[]): readonly Variable[] {
  return variables.filter(({ name }) => !new RegExp(`^\\s*(?:export\\s+)?${name}=`, 'm').test(text))
}

export function lineOf(name: string, value: string): string {
  return `${name}=${quoted(value)}`
}

function quoted(value: string): string {
  return /^[\w./:@+=-]*$/.test(value) ? value : `"${value}"`
}
