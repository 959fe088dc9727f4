/** The longest time that is taken, in seconds: a little over 30 years. */
const LONGEST = 1_000_000_000

/**
 * Gives a time in seconds back.
 *
 * @throws TypeError where it is no time to wait for.
 */
export function checkedSeconds(name: string, seconds: unknown): number {
  if (typeof seconds === 'number' && seconds > 0 && seconds <= LONGEST) return seconds
  const got = typeof seconds === 'number' ? seconds : `a value of type ${typeof seconds}`
  throw new TypeError(
    `\`${name}\` should be a number of seconds above 0 and up to ${LONGEST}; got ${got}.`,
  )
}
