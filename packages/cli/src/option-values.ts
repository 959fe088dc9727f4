import { InvalidArgumentError } from '@commander-js/extra-typings'
import { type NumberRange, numberRule } from '@webhook-receiver/core/options'

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

/** Seconds from 0, or `Infinity`. */
export const tolerance: (text: string) => number = number({
  unit: 'seconds',
  from: 0,
  infinity: true,
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

/** Names, separated by commas, each out of `known`. */
export function namesOutOf<Name extends string>(
  known: readonly Name[],
): (text: string, before?: readonly Name[]) => readonly Name[] {
  return (text, before = []) => [...before, ...names(text).map((name) => oneOf(name, known))]
}

/** Names, separated by commas; the option may come more than once. */
export function names(text: string, before: readonly string[] = []): readonly string[] {
  const listed = text.split(',').map((name) => name.trim())
  if (listed.includes(''))
    throw new InvalidArgumentError('It should be names, separated by commas.')
  return [...before, ...listed]
}

/** Where something is sent to: http or https, without user name or password. */
export function receiverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new InvalidArgumentError('It should be a URL such as http://localhost:3000/webhooks.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('It should not contain a user name or password.')
  }
  return url
}

function oneOf<Name extends string>(name: string, known: readonly Name[]): Name {
  const found = known.find((one) => one === name)
  if (found !== undefined) return found
  throw new InvalidArgumentError(`${JSON.stringify(name)} is not one of: ${known.join(', ')}.`)
}
