const DAY = 86_400
const SECOND = [1, 'second'] as const
const UNITS = [[31_557_600, 'year'], [DAY, 'day'], [3600, 'hour'], [60, 'minute'], SECOND] as const

/** Seconds as people say them: `5 minutes`, `5 minutes 1 second`, `3 years`. */
export function duration(seconds: number): string {
  const at = UNITS.findIndex(([length]) => seconds >= length)
  const [length, unit] = UNITS[at] ?? SECOND
  const [smaller, smallerUnit] = UNITS[at + 1] ?? SECOND
  if (length === 1) return counted(thousandths(seconds), unit)
  // An hour but for some milliseconds is an hour.
  const rounded = Math.round(seconds / length) * length
  if (rounded === UNITS[at - 1]?.[0]) return duration(rounded)
  const count = Math.floor(seconds / length)
  const rest =
    smaller === 1 ? thousandths(seconds % length) : Math.floor((seconds % length) / smaller)
  // What is long ago needs no second unit; what is just above the tolerance does.
  return `${counted(count, unit)}${rest > 0 && count < 10 && length < DAY ? ` ${counted(rest, smallerUnit)}` : ''}`
}

/** A tolerance is passed by a millisecond, too. */
function thousandths(seconds: number): number {
  return Number(seconds.toFixed(3))
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Seconds as a fraction of the largest unit: `3.5 days`. */
export function about(seconds: number): string {
  const [length, unit] = UNITS.find(([length]) => seconds >= length) ?? SECOND
  return counted(Number((seconds / length).toFixed(1)), unit)
}
