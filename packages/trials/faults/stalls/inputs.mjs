import { gzipSync } from 'node:zlib'
import { seeded } from '../../random.mjs'

const MEBIBYTE = 1_048_576

/** As many bytes as Node lets all headers have. */
const HEADER = 16_000

/** One of each kind that an expression may ask for, and pairs of them that may stand for two parts. */
const CHARACTERS = [
  ...[' ', '\t', ',', ', ', ' ,', '=', ':', ';', '-', '_', '.', '/', '+', '%', '"', "'", '\\'],
  ...['0', '1', '9', 'a', 'f', 'g', 'z', 'A', 'F', 'Z', 'v1,', 't=1,', 'v1=', 'sha256=', 'é', 'ÿ'],
]

export function headers() {
  const names = ['X-Webhook-Signature', 'X-Webhook-Timestamp', 'X-Webhook-Id', 'Content-Encoding']
  return names.flatMap((name) =>
    CHARACTERS.flatMap((character) => {
      const run = character.repeat(HEADER / character.length)
      return [run, `sha256=${run}x`, `"${run}`, `a${run}!`, `${run}${'ab'.repeat(32)}`].map(
        (value, shape) => ({
          name: `${name}, ${JSON.stringify(character)}, shape ${shape + 1}`,
          headers: { [name]: value },
        }),
      )
    }),
  )
}

/** What stands in a body again and again. */
const UNITS = {
  letters: 'abcdefg ',
  'letters without space': 'abcdefgh',
  'astral characters': '😀',
  'Latin-1 letters': 'é',
  ideographs: '世',
  'Hangul, decomposed': '\u1112\u1161\u11ab',
  'combining marks out of order': '\u0301\u0316',
  'thirty marks, then a letter': `${'\u0301\u0316'.repeat(15)}e`,
  'windows-1252 characters': '€',
  CRLF: '\r\n',
  LF: '\n',
  CR: '\r',
  spaces: ' ',
  'no-break spaces': '\u00a0',
  zeros: '\0',
  quotes: '"',
  backslashes: '\\',
  'escaped quotes': '\\"',
  slashes: '/',
  percents: '%',
  'percent-encoded characters': '%F0%9F%98%80',
  'percent-encoded continuations': '%80',
  pluses: '+',
  'equals signs': '=',
  hyphens: '-',
  underscores: '_',
  'angle brackets': '<',
  digits: '7',
  'opening brackets': '[',
  'opening braces': '{"a":',
  commas: ',',
  colons: ':',
}

const MADE = {
  'many empty arrays': (size) => `[${'[],'.repeat(size / 3 - 1)}1]`,
  'many short numbers': (size) => `[${'1,'.repeat(size / 2 - 1)}1]`,
  'many long numbers': (size) => `[${'1.2345678901234567e-300,'.repeat(size / 24 - 1)}1]`,
  'one long number': (size) => '7'.repeat(size),
  'many empty strings': (size) => `[${'"",'.repeat(size / 3 - 1)}""]`,
  'many escapes': (size) => `["${'\\u00e9'.repeat(size / 6 - 1)}"]`,
  'many surrogate escapes': (size) => `["${'\\ud83d\\ude00'.repeat(size / 12 - 1)}"]`,
  'escaped backslashes': (size) => `["${'\\\\'.repeat(size / 2 - 2)}"]`,
  'escaped quotes in a string': (size) => `["${'\\"'.repeat(size / 2 - 2)}"]`,
  'a string of quotes for HTML': (size) => `["${'<'.repeat(size - 4)}"]`,
  'a string of slashes': (size) => `["${'/'.repeat(size - 4)}"]`,
  'a string of Latin-1 letters': (size) => `["${'é'.repeat(size / 2 - 4)}"]`,
  'many keys': (size) =>
    `{${Array.from({ length: size / 12 }, (_, at) => `"${at.toString(36)}a":1`).join()}}`,
  'many keys backwards': (size) =>
    `{${Array.from({ length: size / 12 }, (_, at) => `"${(0xffffff - at).toString(36)}":1`).join()}}`,
  'many whole numbers as keys': (size) =>
    `{${Array.from({ length: size / 12 }, (_, at) => `"${at * 7919}":1`).join()}}`,
  'one key again and again': (size) => `{${'"a":1,'.repeat(size / 6 - 1)}"a":1}`,
  'many small objects': (size) => `[${'{"b":1,"a":{}},'.repeat(size / 15 - 1)}1]`,
  'many items at depth 60': (size) =>
    `${'['.repeat(60)}${'1,'.repeat(size / 2 - 61)}1${']'.repeat(60)}`,
  'many items at depth 3,000': (size) =>
    `${'['.repeat(3000)}${'1,'.repeat(size / 2 - 3001)}1${']'.repeat(3000)}`,
  'arrays in each other': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'objects in each other': (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'a quote that is never closed': (size) => `["${'a'.repeat(size - 3)}`,
  'zeros and a letter': (size) => `${'\0'.repeat(size - 1)}x`,
  'spaces and a letter': (size) => `${' '.repeat(size - 1)}x`,
  'a form': (size) => `body=${'%7B+'.repeat(size / 4 - 2)}`,
  'ids at every level': (size) => `{"data":{${'"timestamp":"1",'.repeat(size / 16 - 2)}"id":"x"}}`,
}

export function bodies() {
  return [MEBIBYTE, 131_072].flatMap((size) => {
    const entries = [
      ...Object.entries(UNITS).map(([name, unit]) => [name, filled(unit, size)]),
      ...Object.entries(MADE).map(([name, make]) => [name, make(size)]),
    ].map(([name, text]) => [name, new TextEncoder().encode(text).subarray(0, size)])
    const random = seeded(size)
    const noise = Uint8Array.from({ length: size }, () => random() * 256)
    const zeros = new Uint8Array(size)
    entries.push(
      ['bytes that are not text', noise],
      ['continuation bytes', new Uint8Array(size).fill(0x80)],
      ['bytes FF', new Uint8Array(size).fill(0xff)],
      ['gzip of zeros', gzipSync(new Uint8Array(20 * size))],
      ['gzip of noise', gzipSync(noise.subarray(0, size - 1000))],
      ['zlib that is damaged', Uint8Array.from(zeros, (_, at) => [0x78, 0x9c][at] ?? 0)],
    )
    return entries.map(([name, body]) => ({ name: `${name}, ${body.length} bytes`, body }))
  })
}

/** Texts of a few parts, each of which repeats something; some of them as a string of JSON. */
export function randomBodies(count, seed) {
  const random = seeded(seed)
  const pick = (values) => values[Math.floor(random() * values.length)]
  return Array.from({ length: count }, (_, at) => {
    const size = Math.floor(MEBIBYTE ** (0.7 + 0.3 * random()))
    const parts = Array.from({ length: 1 + Math.floor(4 * random()) }, () => {
      const units = Object.values(UNITS)
      const unit = pick(units) + (random() < 0.5 ? pick(units) : '')
      return filled(unit, Math.floor((size / 4) * random()) + 1)
    })
    const text = random() < 0.5 ? parts.join('') : JSON.stringify({ id: parts, data: parts[0] })
    const body = new TextEncoder().encode(text).subarray(0, size)
    return { name: `random ${at + 1}, ${body.length} bytes`, body }
  })
}

function filled(unit, size) {
  return unit.repeat(Math.ceil(size / Buffer.byteLength(unit)))
}
