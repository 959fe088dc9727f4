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
  if (digitsOnly(text, 0, text.length)) {
    if (text.length === 10) return { ms: Number(text) * 1000, rest: 0 }
    if (text.length === 13) return { ms: Number(text), rest: 0 }
    return undefined
  }
  return text[4] === '-' ? rfc3339(text) : imfFixdate(text)
}

/** YYYY-MM-DDThh:mm:ss[.fraction](Z|±hh:mm), the letters in either case (RFC 3339, section 5.6). */
function rfc3339(text) {
  const [year, month, day] = fields(text, 0, '0000-00-00') ?? []
  const [hour, minute, second] = fields(text, 11, '00:00:00') ?? []
  if (year === undefined || hour === undefined || !'Tt'.includes(text[10])) return undefined
  if (!isTime(hour, minute, second) || !isDay(year, month, day)) return undefined
  let at = 19
  let fraction = ''
  if (text[at] === '.') {
    at++
    const from = at
    while (digitsOnly(text, at, at + 1)) at++
    fraction = text.slice(from, at)
    if (fraction === '') return undefined
  }
  const offset = zoneOf(text.slice(at))
  if (offset === undefined) return undefined
  const ms = (daysTo(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second) * 1000
  const padded = fraction.padEnd(3, '0')
  return {
    ms: ms + Number(padded.slice(0, 3)) - offset * 60_000,
    rest: Number(`0.${padded.slice(3) || 0}`),
    open: fraction.length > MOST_DIGITS,
  }
}

/** A zone in minutes east. */
function zoneOf(text) {
  if (text === 'Z' || text === 'z') return 0
  if (text.length !== 6 || !'+-'.includes(text[0])) return undefined
  const [hours, minutes] = fields(text, 1, '00:00') ?? []
  if (hours === undefined || hours > 23 || minutes > 59) return undefined
  return (text[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/** Sun, 06 Nov 1994 08:49:37 GMT (RFC 9110, section 5.6.7). */
function imfFixdate(text) {
  if (text.length !== 29 || text.slice(3, 5) !== ', ' || text.slice(25) !== ' GMT') return undefined
  const month = MONTHS.indexOf(text.slice(8, 11)) + 1
  const [day] = fields(text, 5, '00') ?? []
  const [year] = fields(text, 12, '0000') ?? []
  const [hour, minute, second] = fields(text, 17, '00:00:00') ?? []
  if ([text[7], text[11], text[16]].some((gap) => gap !== ' ')) return undefined
  if (day === undefined || year === undefined || hour === undefined || month === 0) return undefined
  if (!isTime(hour, minute, second) || !isDay(year, month, day)) return undefined
  const days = daysTo(year, month, day)
  if (DAYS[((days % 7) + 7) % 7] !== text.slice(0, 3)) return undefined
  // Date reads a year below 100 as one of the twentieth century.
  return {
    ms: (days * 86_400 + hour * 3600 + minute * 60 + second) * 1000,
    rest: 0,
    open: year < 100,
  }
}

/** The numbers that stand where the shape has zeros, if everything else is as in the shape. */
function fields(text, from, shape) {
  const found = text.slice(from, from + shape.length)
  if (found.length !== shape.length) return undefined
  let number = 0
  const numbers = []
  for (let at = 0; at < shape.length; at++) {
    if (shape[at] === '0') {
      if (!digitsOnly(found, at, at + 1)) return undefined
      number = number * 10 + Number(found[at])
    } else {
      if (found[at] !== shape[at]) return undefined
      numbers.push(number)
      number = 0
    }
  }
  return [...numbers, number]
}

function digitsOnly(text, from, to) {
  if (to > text.length || to === from) return false
  for (let at = from; at < to; at++) if (text[at] < '0' || text[at] > '9') return false
  return true
}

function isTime(hour, minute, second) {
  return hour < 24 && minute < 60 && second < 60
}

function isDay(year, month, day) {
  if (month < 1 || month > 12 || day < 1) return false
  return day <= LENGTHS[month - 1] + (month === 2 && isLeap(year) ? 1 : 0)
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
