/** A value that an option may have, and how it is put to whoever gave another. */
export interface Setting<Value> {
  readonly is: (value: unknown) => value is Value
  readonly wanted: string
}

/** Longer timers than this overflow in JavaScript; a day is more than anybody waits. */
const DAY = 86_400

export const WHOLE: Setting<number> = {
  is: (value): value is number => Number.isSafeInteger(value) && Number(value) >= 1,
  wanted: 'a whole number from 1, such as 100_000',
}

export const RETENTION: Setting<number> = {
  is: (value): value is number => typeof value === 'number' && value > 0,
  wanted: 'a number of seconds above 0, such as 259_200, or Infinity',
}

export const WAIT: Setting<number> = {
  is: isWait,
  wanted: 'a number of seconds above 0 and up to 86_400, such as 2',
}

export const LEASE: Setting<number> = {
  is: isWait,
  wanted: 'a number of seconds above 0 and up to 86_400, such as 30',
}

export const TIMEOUT: Setting<number> = {
  is: (value): value is number => value === Number.POSITIVE_INFINITY || isWait(value),
  wanted: 'a number of seconds above 0 and up to 86_400, such as 25, or Infinity',
}

export const CLOCK: Setting<() => number> = {
  is: (value): value is () => number => typeof value === 'function',
  wanted: 'a function that gives milliseconds, such as () => performance.now()',
}

/** The value, where it is what the option may be. */
export function settle<Value>(name: string, value: unknown, setting: Setting<Value>): Value {
  if (setting.is(value)) return value
  throw new TypeError(`\`${name}\` should be ${setting.wanted}; got ${shown(value)}.`)
}

/**
 * The options as a record in which nothing is misspelt.
 *
 * @throws TypeError that lists the options there are.
 */
export function optionsRecord(
  options: unknown,
  names: readonly string[],
  example: string,
): Readonly<Record<string, unknown>> {
  if (!isRecord(options)) {
    throw new TypeError(
      `The options should be an object, such as ${example}; got ${shown(options)}.`,
    )
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return options
  throw new TypeError(
    `There is no option ${JSON.stringify(unknown)}. The options are: ${names.join(', ')}.`,
  )
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}

function isWait(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= DAY
}
