// Reads a timestamp field by field: no text is given to the platform's Date.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

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
  if (DAYS[new Date(seconds * 1000).getUTCDay()] !== name) return undefined
  // Date reads a year below 100 as one of the twentieth century.
  return { ms: seconds * 1000, rest: 0, open: year < 100 }
}

/** Seconds from 1 January 1970; undefined where there is no such day or time, and so Date has another one. */
function secondsTo([year, month, day, hour, minute, second]) {
  const date = new Date(0)
  // Date.UTC reads a year below 100 as one of the twentieth century.
  date.setUTCFullYear(year, month - 1, day)
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isDay || hour > 23 || minute > 59 || second > 59) return undefined
  return date.setUTCHours(hour, minute, second) / 1000
}
