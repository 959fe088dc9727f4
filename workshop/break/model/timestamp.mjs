// Reads a timestamp by hand, field by field: nothing here asks the platform's Date.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed']
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** More digits of a second than a receiver has to take (nanoseconds). */
const MOST_DIGITS = 9

/**
 * @typedef {object} Instant
 * @property {number} ms whole milliseconds since the epoch
 * @property {number} rest what comes on top of that, in milliseconds, from 0 up to 1
 * @property {boolean} [open] whether a receiver may also leave it unread
 */

/**
 * The instant that one of the four forms stands for.
 *
 * @param {string} text
 * @returns {Instant | undefined}
 */
export function parseTimestamp(text) {
  if (/^\d{10}$/.test(text)) return { ms: Number(text) * 1000, rest: 0 }
  if (/^\d{13}$/.test(text)) return { ms: Number(text), rest: 0 }
  return rfc3339(text) ?? imfFixdate(text)
}

/** YYYY-MM-DDThh:mm:ss[.fraction](Z|±hh:mm), the letters in either case (RFC 3339, section 5.6). */
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

function rfc3339(text) {
  const [, year, month, day, hour, minute, second, fraction = '', sign, hours = 0, minutes = 0] =
    RFC_3339.exec(text) ?? []
  const seconds = secondsTo([year, month, day, hour, minute, second].map(Number))
  if (seconds === undefined || hours > 23 || minutes > 59) return undefined
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
  const padded = fraction.padEnd(3, '0')
  return {
    ms: (seconds - offset) * 1000 + Number(padded.slice(0, 3)),
    rest: Number(`0.${padded.slice(3) || 0}`),
    open: fraction.length > MOST_DIGITS,
  }
}

/** Sun, 06 Nov 1994 08:49:37 GMT (RFC 9110, section 5.6.7). */
const IMF_FIXDATE = /^(\w{3}), (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/

function imfFixdate(text) {
  const [, name, day, month, year, hour, minute, second] = IMF_FIXDATE.exec(text) ?? []
  const parts = [year, MONTHS.indexOf(month) + 1, day, hour, minute, second]
  const seconds = secondsTo(parts.map(Number))
  if (seconds === undefined) return undefined
  const days = Math.floor(seconds / 86_400)
  if (DAYS[((days % 7) + 7) % 7] !== name) return undefined
  // Date reads a year below 100 as one of the twentieth century.
  return { ms: seconds * 1000, rest: 0, open: year < 100 }
}

/** Seconds from 1 January 1970; undefined where there is no such day or time. */
function secondsTo([year, month, day, hour, minute, second]) {
  const isDay = day >= 1 && day <= LENGTHS[month - 1] + (month === 2 && isLeap(year) ? 1 : 0)
  if (!isDay || hour > 23 || minute > 59 || second > 59) return undefined
  return daysTo(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
}

function isLeap(year) {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** Days from 1 January 1970. */
function daysTo(year, month, day) {
  const before = year - 1
  let days =
    year * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400)
  for (let index = 0; index < month - 1; index++) days += LENGTHS[index]
  if (month > 2 && isLeap(year)) days++
  return days + day - 1 - 719_527
}
