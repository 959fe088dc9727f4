// Timestamps in every form that is read, and in those that are not.

const pad = (number, length = 2) => String(number).padStart(length, '0')

/** The four forms, some of them in several spellings. */
const FORMS = [
  (time) => String(Math.floor(time / 1000)),
  (time) => String(time),
  (time) => new Date(time).toISOString(),
  (time) => new Date(time).toISOString().replace('.000Z', 'Z'),
  (time) => new Date(time).toISOString().toLowerCase(),
  (time) => new Date(time).toUTCString(),
  (time) => zoned(time, 120),
  (time) => zoned(time, -570),
  (time) => new Date(time).toISOString().replace('Z', '+00:00'),
  (time) => new Date(time).toISOString().replace('Z', '-00:00'),
  (time) => new Date(time).toISOString().replace('Z', '000001Z'),
  (time) => new Date(time).toISOString().replace(/\d\dZ/, 'Z'),
]

/** Forms that nobody reads, or that look like another. */
const ODD = [
  (time) => (time / 1000).toFixed(3),
  (time) => String(time * 1000),
  (time) => `+${Math.floor(time / 1000)}`,
  (time) => `0${Math.floor(time / 1000)}`,
  (time) => `${Math.floor(time / 1000)} `,
  (time) => `0x${Math.floor(time / 1000).toString(16)}`,
  (time) => `${time / 1e12}e9`,
  (time) => new Date(time).toISOString().replace('Z', ''),
  (time) => new Date(time).toISOString().replace('T', ' '),
  (time) => new Date(time).toISOString().replace('T', '_'),
  (time) => new Date(time).toISOString().replace('Z', '+0000'),
  (time) => new Date(time).toISOString().replace('Z', '+24:00'),
  (time) => new Date(time).toISOString().replace('Z', '+00:60'),
  (time) => new Date(time).toISOString().replace('Z', ' UTC'),
  (time) => new Date(time).toISOString().replace('.', ','),
  (time) => new Date(time).toISOString().replace(/\.\d+/, '.'),
  (time) => new Date(time).toISOString().replace('Z', '0000000000000Z'),
  (time) => new Date(time).toISOString().replace(/:\d\d\./, ':60.'),
  (time) => new Date(time).toISOString().replace(/T\d\d/, 'T24'),
  (time) => new Date(time).toISOString().slice(0, 16).concat('Z'),
  (time) => new Date(time).toISOString().replace(/-\d\d-\d\d/, '-02-30'),
  (time) => `+00${new Date(time).toISOString()}`,
  (time) => new Date(time).toUTCString().replace('GMT', 'UTC'),
  (time) => new Date(time).toUTCString().replace('GMT', '+0000'),
  (time) => new Date(time).toUTCString().toUpperCase(),
  (time) => new Date(time).toUTCString().replace(/^.../, 'Mon'),
  (time) => new Date(time).toUTCString().slice(5),
  (time) => new Date(time).toUTCString().replace(/, (\d)/, ',  $1'),
  (time) => rfc850(time),
  (time) => asctime(time),
  () => 'now',
  () => 'NaN',
  () => '9'.repeat(13),
  () => '0000000000',
  () => '\xb2\xb9'.repeat(5),
]

/** A timestamp for an instant, in milliseconds. */
export function stampOf(time, form) {
  return FORMS[form % FORMS.length](time)
}

export function oddStampOf(time, form) {
  return ODD[form % ODD.length](time)
}

/** One character of it is another one, gone, or twice there. */
export function misspelt(stamp, a, b) {
  const at = a % (stamp.length + 1)
  const character = '0123456789TZtz:-+., GMTeE\t'[b % 26]
  const rest = stamp.slice(at + (b % 3 === 0 ? 0 : 1))
  return stamp.slice(0, at) + (b % 3 === 2 ? '' : character) + rest
}

function zoned(time, minutes) {
  const local = new Date(time + minutes * 60_000).toISOString().slice(0, -1)
  const east = Math.abs(minutes)
  return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.floor(east / 60))}:${pad(east % 60)}`
}

function rfc850(time) {
  const [, day, month, year, clock] = new Date(time).toUTCString().split(' ')
  return `Tuesday, ${day}-${month}-${year.slice(2)} ${clock} GMT`
}

function asctime(time) {
  const [weekday, day, month, year, clock] = new Date(time).toUTCString().split(/,? /)
  return `${weekday} ${month} ${day} ${clock} ${year}`
}
