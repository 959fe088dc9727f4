// Timestamps in every valid form, and in invalid ones.

const iso = (time) => new Date(time).toISOString()
const http = (time) => new Date(time).toUTCString()
const pad = (number, length = 2) => String(number).padStart(length, '0')

/** The four forms, some of them in several signatures. */
const VALID = [
  (time) => String(Math.floor(time / 1000)),
  (time) => String(time),
  (time) => iso(time),
  (time) => iso(time).replace('.000Z', 'Z'),
  (time) => iso(time).toLowerCase(),
  (time) => http(time),
  (time) => zoned(time, 120),
  (time) => zoned(time, -570),
  (time) => iso(time).replace('Z', '+00:00'),
  (time) => iso(time).replace('Z', '-00:00'),
  (time) => iso(time).replace('Z', '000001Z'),
  (time) => iso(time).replace(/\d\dZ/, 'Z'),
]

/** Forms that a receiver must not read. */
const INVALID = [
  (time) => (time / 1000).toFixed(3),
  (time) => String(time * 1000),
  (time) => `+${Math.floor(time / 1000)}`,
  (time) => `0${Math.floor(time / 1000)}`,
  (time) => `${Math.floor(time / 1000)} `,
  (time) => `0x${Math.floor(time / 1000).toString(16)}`,
  (time) => `${time / 1e12}e9`,
  (time) => iso(time).replace('Z', ''),
  (time) => iso(time).replace('T', ' '),
  (time) => iso(time).replace('T', '_'),
  (time) => iso(time).replace('Z', '+0000'),
  (time) => iso(time).replace('Z', '+24:00'),
  (time) => iso(time).replace('Z', '+00:60'),
  (time) => iso(time).replace('Z', ' UTC'),
  (time) => iso(time).replace('.', ','),
  (time) => iso(time).replace(/\.\d+/, '.'),
  (time) => iso(time).replace('Z', '0000000000000Z'),
  (time) => iso(time).replace(/:\d\d\./, ':60.'),
  (time) => iso(time).replace(/T\d\d/, 'T24'),
  (time) => iso(time).slice(0, 16).concat('Z'),
  (time) => iso(time).replace(/-\d\d-\d\d/, '-02-30'),
  (time) => `+00${iso(time)}`,
  (time) => http(time).replace('GMT', 'UTC'),
  (time) => http(time).replace('GMT', '+0000'),
  (time) => http(time).toUpperCase(),
  (time) => http(time).replace(/^.../, 'Mon'),
  (time) => http(time).slice(5),
  (time) => http(time).replace(/, (\d)/, ',  $1'),
  (time) => rfc850(time),
  (time) => asctime(time),
  () => 'now',
  () => 'NaN',
  () => '9'.repeat(13),
  () => '0000000000',
  () => '\xb2\xb9'.repeat(5),
]

/** A timestamp for an instant, in milliseconds. */
export function timestampText(time, form) {
  return VALID[form % VALID.length](time)
}

export function invalidTimestampText(time, form) {
  return INVALID[form % INVALID.length](time)
}

/** The text with one character replaced, removed or added. */
export function misspelled(text, a, b) {
  const at = a % (text.length + 1)
  const character = '0123456789TZtz:-+., GMTeE\t'[b % 26]
  const rest = text.slice(at + (b % 3 === 0 ? 0 : 1))
  return text.slice(0, at) + (b % 3 === 2 ? '' : character) + rest
}

/** A time of day in a zone so many minutes east. */
function zoned(time, minutes) {
  const local = iso(time + minutes * 60_000).slice(0, -1)
  const east = Math.abs(minutes)
  return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.floor(east / 60))}:${pad(east % 60)}`
}

function rfc850(time) {
  const [, day, month, year, clock] = http(time).split(' ')
  return `Tuesday, ${day}-${month}-${year.slice(2)} ${clock} GMT`
}

function asctime(time) {
  const [weekday, day, month, year, clock] = http(time).split(/,? /)
  return `${weekday} ${month} ${day} ${clock} ${year}`
}
