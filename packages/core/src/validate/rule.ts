import { type Interface, misfitOf } from '../copies/interfaces.ts'
import { isAsync, isCallable } from './callable.ts'

/** What a value must be, and how an error message says it. */
export interface Rule<Value> {
  readonly is: (value: unknown) => value is Value
  /** Goes on from "`name` should be". */
  readonly expected: string
  /** Keeps a wrong value out of the message, because it may be a secret. */
  readonly hidden?: boolean
  /** What a value of the right kind makes doubtful, as a sentence without its subject, which is the option. */
  readonly doubt?: ((value: unknown) => string | undefined) | undefined
  /** Why something that another release has made is wrong, likewise. It is looked at first: its form may have changed too. */
  readonly misfit?: ((value: unknown) => string | undefined) | undefined
}

/** A rule of any kind: `test` decides whether a value is a `Value`. */
/* @__NO_SIDE_EFFECTS__ */
export function rule<Value>(expected: string, test: (value: unknown) => boolean): Rule<Value> {
  return { is: (value): value is Value => test(value), expected }
}

export interface NumberRange {
  /** The smallest number. */
  readonly from?: number
  /** What the number must be larger than. */
  readonly above?: number
  /** The largest number; none unless stated. */
  readonly to?: number
  /** Allows `Infinity`, in place of `to` too. */
  readonly infinity?: boolean
  readonly whole?: boolean
  /** What is counted, such as `'seconds'`. */
  readonly unit?: string
}

/** A number, such as "a whole number of bytes from 1" or "a number of seconds above 0 and up to 86_400, or Infinity". */
/* @__NO_SIDE_EFFECTS__ */
export function numberRule(range: NumberRange): Rule<number> {
  const { from, above, to, infinity = false, whole = false, unit } = range
  const number = `a ${whole ? 'whole ' : ''}number${unit === undefined ? '' : ` of ${unit}`}`
  const start = above === undefined ? `from ${digits(from ?? 0)}` : `above ${digits(above)}`
  const end = to === undefined ? '' : `${above === undefined ? '' : ' and up'} to ${digits(to)}`
  const { is, expected } = rule<number>(
    `${number} ${start}${end}${infinity ? ', or Infinity' : ''}`,
    (value) => {
      if (value === Number.POSITIVE_INFINITY) return infinity
      if (typeof value !== 'number' || (whole && !Number.isSafeInteger(value))) return false
      const least = above === undefined ? value >= (from ?? 0) : value > above
      return least && value <= (to ?? Number.MAX_VALUE)
    },
  )
  return { is, expected, doubt: unit === 'seconds' ? milliseconds : undefined }
}

const HOUR = 3600
const WEEK = 604_800

/** A time in seconds that looks like one in milliseconds: thousands, but no whole hours of a week. */
function milliseconds(value: unknown): string | undefined {
  if (typeof value !== 'number' || value < 1000 || value % 1000 !== 0) return undefined
  if (value % HOUR === 0 && value <= WEEK) return undefined
  return `is in seconds: did you mean ${value / 1000}?`
}

/** A string that matches a pattern. */
/* @__NO_SIDE_EFFECTS__ */
export function stringRule(expected: string, pattern: RegExp): Rule<string> {
  return rule(expected, (value) => typeof value === 'string' && pattern.test(value))
}

/* @__NO_SIDE_EFFECTS__ */
export function functionRule<Call>(expected: string): Rule<Call> {
  return rule(expected, isCallable)
}

/** A function of the application that may be left out. */
/* @__NO_SIDE_EFFECTS__ */
export function hookRule<Call>(): Rule<Call | undefined> {
  return optional(functionRule<Call>('a function'))
}

/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const Value extends string>(values: readonly Value[]): Rule<Value> {
  const quoted = values.map((value) => `'${value}'`)
  const expected = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
  return rule(expected, (value) => values.some((known) => known === value))
}

/** An array; `expected` describes the whole of it. */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<Item>(expected: string, { is, misfit }: Rule<Item>): Rule<readonly Item[]> {
  return {
    ...rule<readonly Item[]>(expected, (value) => Array.isArray(value) && value.every(is)),
    misfit: misfit && ((value) => [value].flat().map(misfit).find(Boolean)),
  }
}

/* @__NO_SIDE_EFFECTS__ */
export function optional<Value>(given: Rule<Value>): Rule<Value | undefined> {
  return { ...given, is: (value) => value === undefined || given.is(value) }
}

/** For what our packages make for one another: a value of another release is a TypeError if its interface has another number. */
/* @__NO_SIDE_EFFECTS__ */
export function madeRule<Value>(kind: Interface, given: Rule<Value>): Rule<Value> {
  return { ...given, misfit: (value) => misfitOf(kind, value) }
}

/* @__NO_SIDE_EFFECTS__ */
export function hidden<Value>(shown: Rule<Value>): Rule<Value> {
  return { ...shown, hidden: true }
}

/** Thirty days are thousands of seconds, too. */
/* @__NO_SIDE_EFFECTS__ */
function undoubted<Value>(doubtful: Rule<Value>): Rule<Value> {
  return { ...doubtful, doubt: undefined }
}

export const BOOLEAN: Rule<boolean> = rule('true or false', (value) => typeof value === 'boolean')

/** The most seconds that a timer is given: longer ones overflow in JavaScript. */
export const DAY = 86_400

/** A time to wait, in seconds. */
export const DURATION: Rule<number> = numberRule({ unit: 'seconds', above: 0, to: DAY })

/** A time to wait, in seconds, that may have no end. */
export const TIMEOUT: Rule<number> = numberRule({
  unit: 'seconds',
  above: 0,
  to: DAY,
  infinity: true,
})

/** How long a store keeps something, in seconds: at most a little over 30 years. */
export const RETENTION: Rule<number> = undoubted(
  numberRule({ unit: 'seconds', above: 0, to: 1_000_000_000 }),
)

/** Not an async function: a promise is no time, and where it rejects, that ends the process. */
export const CLOCK: Rule<() => number> = rule(
  'a function that returns milliseconds, such as Date.now',
  (value) => isCallable(value) && !isAsync(value),
)

const EVENT_NAME: Rule<string> = stringRule('a name', /./s)

export const EVENT_NAMES: Rule<readonly string[]> = listOf(
  "an array of event names, such as ['message.reacted']",
  EVENT_NAME,
)

/** A number as it is written in JavaScript, with its digits in groups of three where there are many. */
function digits(value: number): string {
  return value < 10_000 ? String(value) : String(value).replace(/\B(?=(?:\d{3})+$)/g, '_')
}
