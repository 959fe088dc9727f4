const UNITS = [
  [31_557_600, 'year'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

/** Below this, what is no whole number of minutes is said in seconds: `300.001 s` is more than a tolerance of 300 s. */
const LONG = 1000

/** Seconds as people say them: `301 s`, `5 minutes`, `17.5 minutes`, `3 years`. */
export function duration(seconds: number): string {
  // A day but for some seconds is a day.
  const time = seconds < LONG ? seconds : Math.round(seconds / 60) * 60
  const [length, unit] =
    UNITS.find(([unit]) => time >= unit && (time >= LONG || time % unit === 0)) ?? []
  return length ? counted(rounded(time / length, 1), unit) : `${rounded(seconds, 3)} s`
}

export function counted(count: number, unit = ''): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
