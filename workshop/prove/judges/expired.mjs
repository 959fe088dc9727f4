/** For how many days a comparison of a value with its service counts. */
export const DAYS = 180

/**
 * The values that were compared with their services too long ago: services change without a word.
 *
 * @param {readonly { name: string, checked: string }[]} values
 * @param {string} today `YYYY-MM-DD`
 */
export function expired(values, today) {
  const oldest = new Date(Date.parse(today) - DAYS * 86_400_000).toISOString().slice(0, 10)
  return values.filter(({ checked }) => checked < oldest)
}
