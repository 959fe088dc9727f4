// Timestamps as a sender may write them, right and wrong.
import fc from 'fast-check'

const iso = (time) => new Date(time).toISOString()
const http = (time) => new Date(time).toUTCString()
const pad = (number, length = 2) => String(number).padStart(length, '0')

/** An instant, in milliseconds, in each of the four forms. */
const SPELLINGS = [
  (time) => String(Math.floor(time / 1000)),
  (time) => String(time),
  iso,
  http,
  (time) => iso(time).toLowerCase(),
  (time) => iso(time).replace('.000Z', 'Z'),
  (time) => iso(time).replace('Z', '000001Z'),
  (time) => iso(time + 7_200_000).replace('Z', '+02:00'),
  (time) => iso(time - 34_200_000).replace('Z', '-09:30'),
]

/** Functions that write an instant. */
export const spellings = fc.constantFrom(...SPELLINGS)

const digits = (least, most, length = 2) =>
  fc.integer({ min: least, max: most }).map((number) => pad(number, length))

/** Field by field: most are valid, and each of them is sometimes out of its range. */
const rfc3339 = fc
  .tuple(
    digits(0, 9999, 4),
    fc.oneof(digits(0, 13), fc.constant('02')),
    fc.oneof(digits(0, 32), digits(28, 31)),
    fc.constantFrom('T', 'T', 't', ' ', '_'),
    digits(0, 24),
    digits(0, 60),
    digits(0, 60),
    fc.constantFrom(`.${'0'.repeat(13)}`, ...'|.5|.123|.123456789|.|,5'.split('|')),
    fc.constantFrom(
      ...'Z|z|+00:00|-00:00|+02:00|-09:30|+23:59|-12:45|+24:00|+00:60|+0200|+02|| UTC'.split('|'),
    ),
  )
  .map(([year, month, day, between, hour, minute, second, fraction, zone]) =>
    [`${year}-${month}-${day}${between}${hour}:${minute}:${second}`, fraction, zone].join(''),
  )

/** Instants from the year 100 to the year 9999. */
const times = fc.oneof(
  fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 }),
  fc.integer({ min: -59_011_459_200_000, max: 253_402_300_799_999 }),
)

const imfFixdate = fc
  .tuple(
    times,
    fc.constantFrom('Mon', 'Thu', undefined),
    fc.constantFrom('GMT', 'GMT', 'UTC', '+0000'),
  )
  .map(([time, day, zone]) =>
    http(time)
      .replace(/^.../, day ?? '$&')
      .replace('GMT', zone),
  )

/** Functions that replace, remove or add one character. */
export const misspellings = fc
  .tuple(
    fc.nat({ max: 80 }),
    fc.nat({ max: 1 }),
    fc.constantFrom(...'0123456789TZtz:-+., GMTeEaf\t\n"\xc0', ''),
  )
  .map(
    ([at, removed, character]) =>
      (text) =>
        text.slice(0, at % (text.length + 1)) +
        character +
        text.slice((at % (text.length + 1)) + removed),
  )

const valid = fc.tuple(times, spellings).map(([time, spell]) => spell(time))

/** Valid timestamps, invalid ones, and other texts. */
export const timestamps = fc.oneof(
  valid,
  rfc3339,
  imfFixdate,
  fc.tuple(fc.oneof(valid, rfc3339), misspellings).map(([text, misspell]) => misspell(text)),
  fc.stringMatching(/^[0-9]{8,15}$/),
  fc.string({ maxLength: 30 }),
)
