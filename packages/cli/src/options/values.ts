import { InvalidArgumentError } from '@commander-js/extra-typings'
import { type NumberRange, numberRule, suggestion } from '@webhook-receiver/core/internal'
import { UsageError } from '../console/index.ts'

/** A whole number from `least` to `most`. */
export function whole(least: number, most: number): (text: string) => number {
  return number({ whole: true, from: least, to: most }, /^\d+$/)
}

/** A number above 0, with a fraction or without. */
export function positive(most: number): (text: string) => number {
  return number({ above: 0, to: most })
}

/** A share from 0 to 1. */
export const share: (text: string) => number = number({ from: 0, to: 1 })

/** An option that several commands have. */
type NumberOption<Flags> = readonly [flags: Flags, text: string, read: (text: string) => number]

export const TOLERANCE: NumberOption<'--tolerance <seconds>'> = [
  '--tolerance <seconds>',
  'accepted difference between timestamp and clock (default: what the service documents, or 300)',
  number({ unit: 'seconds', from: 0, infinity: true }),
]

export const TIMEOUT: NumberOption<'--timeout <seconds>'> = [
  '--timeout <seconds>',
  'how long to wait for each response',
  positive(3600),
]

/** Seconds in either direction, up to a year. */
export const offset: (text: string) => number = number({
  unit: 'seconds',
  from: -31_536_000,
  to: 31_536_000,
})

/** Reads a number by the rule that the same option has in code. */
function number(range: NumberRange, pattern = /\S/): (text: string) => number {
  const rule = numberRule(range)
  return (text) => {
    const value = pattern.test(text) ? Number(text) : Number.NaN
    if (rule.is(value)) return value
    // On a command line digits have no groups.
    throw new InvalidArgumentError(`It should be ${rule.expected.replaceAll('_', '')}.`)
  }
}

/**
 * Names, separated by commas, each out of `known`, or out of those that it had `before`, which no message names. `listed` is what a
 * message says of the known ones.
 */
export function namesOutOf<Name extends string>(
  known: readonly Name[],
  before: readonly Name[],
  listed: string,
): (text: string) => readonly Name[] {
  return (text) => names(text).map(nameOutOf(known, before, listed))
}

export function nameOutOf<Name extends string>(
  known: readonly Name[],
  before: readonly Name[] = [],
  listed = ` ${known.join(', ')}.`,
): (name: string) => Name {
  return (name) => {
    const found = [...known, ...before].find((one) => one === name)
    if (found !== undefined) return found
    const begun = name.length > 1 && known.find((one) => one.startsWith(name))
    const near = begun ? `Did you mean ${JSON.stringify(begun)}?` : suggestion(name, known).trim()
    const what = near ? `unknown. ${near}` : `not one of:${listed}`
    throw new InvalidArgumentError(`${JSON.stringify(name)} is ${what}`)
  }
}

/** Names, separated by commas. */
export function names(text: string): readonly string[] {
  const listed = text.split(',').map((name) => name.trim())
  if (!listed.includes('')) return listed
  throw new InvalidArgumentError('It should be names, separated by commas.')
}

/**
 * Where something is sent to: http or https, without user name or password; http by default.
 *
 * @throws UsageError that says what is missing.
 */
export function receiverUrl(text: string): URL {
  // A number is also a host: 3000 is 0.0.11.184.
  const [, near] = /^(?:https?:\/\/)?:?(\d{1,5}(?:[/?#].*)?)$/is.exec(text) ?? []
  // As curl takes it: localhost:3000 alone would be a URL with the scheme `localhost`.
  const whole = !text.includes('://') && /[.:/]|^localhost$/.test(text) ? `http://${text}` : text
  // `http:///path` is a URL whose host is `path`.
  const url = near || text.startsWith('/') || !URL.canParse(whole) ? undefined : new URL(whole)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    const meant = near ? ` Did you mean localhost:${near}?` : ''
    const fault = url ? 'does not begin with http:// or https://' : 'is not a URL'
    throw new UsageError(
      `${JSON.stringify(text)} ${fault}. Use a URL such as http://localhost:3000/webhooks.${meant}`,
    )
  }
  // Node would take the standard port instead.
  if (url.port === '0') throw new UsageError('A URL should not have port 0: nothing listens there.')
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('A URL should not contain a user name or password.')
  }
  return url
}
