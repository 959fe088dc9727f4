import { checkValue, RETENTION } from '@webhook-receiver/core/options'

/**
 * A time in seconds as Redis takes it: whole milliseconds, in a string.
 *
 * @throws TypeError for an invalid time.
 */
export function milliseconds(name: string, seconds: unknown): string {
  return String(Math.ceil(checkValue(name, seconds, RETENTION) * 1000))
}
