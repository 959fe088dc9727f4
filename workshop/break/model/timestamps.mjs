// Timestamps as a sender may write them, right and wrong.
import fc from 'fast-check'

const iso = (time) => new Date(time).toISOString()
const http = (time) => new Date(time).toUTCString()

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

/** From the year 100 to the year 9999. */
const times = fc.integer({ min: -59_011_459_200_000, max: 253_402_300_799_999 })

const valid = fc.tuple(times, spellings).map(([time, spell]) => spell(time))

/** Valid timestamps, invalid ones, and other texts. */
export const timestamps = fc.oneof(
  valid,
  fc.tuple(valid, misspellings).map(([text, misspell]) => misspell(text)),
  fc.stringMatching(/^[0-9]{8,15}$/),
  fc.string({ maxLength: 30 }),
)
