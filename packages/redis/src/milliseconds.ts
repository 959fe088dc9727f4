/** The longest time that is taken, in seconds: a little over 30 years. */
const LONGEST = 1_000_000_000

/**
 * Gives a time in seconds as Redis wants it: whole milliseconds, in a string.
 *
 * @throws TypeError where it is no time to wait for.
 */
export function milliseconds(name: string, seconds: unknown): string {
  if (typeof seconds === 'number' && seconds > 0 && seconds <= LONGEST) {
    return String(Math.ceil(seconds * 1000))
  }
  const got = typeof seconds === 'number' ? seconds : `a value of type ${typeof seconds}`
  throw new TypeError(
    `\`${name}\` should be a number of seconds above 0 and up to ${LONGEST}; got ${got}.`,
  )
}
