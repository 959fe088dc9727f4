const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/
const httpDate = /^(\w{3}), (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/

/** The instant in milliseconds that a timestamp names; nothing if it has none of the four forms. */
export function instantOf(value: string): number | undefined {
  if (/^\d{10}$/.test(value)) return Number(value) * 1000
  if (/^\d{13}$/.test(value)) return Number(value)
  const local = rfc3339.exec(value)
  if (local !== null) return fromFields(local)
  if (!httpDate.test(value)) return undefined
  const instant = Date.parse(value)
  // Written again, a date that does not exist or has another weekday comes out different.
  return new Date(instant).toUTCString() === value ? instant : undefined
}

function fromFields(match: RegExpExecArray): number | undefined {
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number)
  const text = match[0].slice(0, 19)
  const instant = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second)
  if (new Date(instant).toISOString().slice(0, 19) !== text) return undefined
  const hours = Number(match[9] ?? 0)
  const minutes = Number(match[10] ?? 0)
  if (hours > 23 || minutes > 59) return undefined
  const offset = (hours * 60 + minutes) * 60_000 * (match[8] === '-' ? -1 : 1)
  return instant - offset + Number(`0.${match[7] ?? 0}`) * 1000
}
