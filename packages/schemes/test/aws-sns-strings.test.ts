import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { isRecord, parseJson, stringsOf, unescaped } from '@webhook-receiver/core/internal'
import { expect, test } from 'vitest'

const NAMES = ['Type', 'Message', 'TopicArn']
const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** The wanted strings of a text by their names. A string that has no bytes is null. */
function found(json: string): Record<string, string | null> | undefined {
  const strings = stringsOf(encode(json), NAMES)
  return strings && Object.fromEntries([...strings].map(([name, string]) => [name, textOf(string)]))
}

function textOf(string: Uint8Array): string | null {
  const bytes = unescaped(string)
  return bytes ? decode(bytes) : null
}

/** The same by the parser of all other bodies. */
function expected(json: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(encode(json))
    if (!isRecord(value)) return undefined
    const wanted = NAMES.filter((name) => Object.hasOwn(value, name))
    return Object.fromEntries(wanted.map((name) => [name, whole(value[name])]))
  } catch {
    return undefined
  }
}

const whole = (value: unknown) => (/\p{Cs}/u.test(`${value}`) ? null : value)

/** Each unit of UTF-16 as an escape. */
const escaped = (text: string) =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
const CHARACTERS = [
  ...'a Type { } [ ] , : é € 😀 \u2028 \uFFFD \uFEFF \\" \\\\ \\/ \\b \\f \\n \\r \\t'.split(' '),
  ...'\\u0000 \\u0022 \\u005C \\u00e9 \\u20AC \\uffff \\ud83d\\ude00 \\ud83d \\ude00'.split(' '),
  ...'\\ude00\\ud83d \\ud83d\\n \\ud83dx \\\\ud83d'.split(' '),
]
const SCALARS = '0 -1 1.5e+3 1E9 1e999 true false null'.split(' ')
const OTHER_NAMES = ' x __proto__ type Typee é constructor'.split(' ')

/** Writes random JSON. What it writes at the top is noted, because a parsed value no longer tells. */
function writer(seed: number) {
  const random = seeded(seed)
  const below = (count: number) => Math.floor(random() * count)
  const one = <Each>(of: readonly Each[]): Each => of[below(of.length)] as Each
  const many = (count: number, make: () => string) => Array.from({ length: below(count) }, make)
  const space = () => many(3, () => one([' ', '\n', '\r', '\t'])).join('')
  const string = () => `"${many(6, () => one(CHARACTERS)).join('')}"`
  const value = (depth: number): string => {
    if (depth === 0 || random() < 0.4) return one([...SCALARS, string()])
    const values = () => value(depth - 1)
    if (random() < 0.5) return `[${space()}${many(4, values).join(`${space()},`)}${space()}]`
    return `{${many(4, () => `${string()}:${values()}`).join(',')}${space()}}`
  }
  const properties: { name: string; isString: boolean; isEscaped: boolean }[] = []
  const property = () => {
    const name = one([...NAMES, ...NAMES, ...OTHER_NAMES])
    const isEscaped = name !== '' && random() < 0.03
    const isString = NAMES.includes(name) ? random() < 0.95 : random() < 0.5
    properties.push({ name, isString, isEscaped })
    const content = isString ? string() : value(3).replace(/^".*"$/s, '0')
    return `${space()}"${isEscaped ? escaped(name) : name}"${space()}:${space()}${content}${space()}`
  }
  const json = `${space()}{${[property(), ...many(5, property)].join(',')}}${space()}`
  return { json, properties, random, below }
}

test('finds the strings that JSON.parse finds, in random objects', () => {
  let accepted = 0
  for (let seed = 0; seed < 2000; seed++) {
    const { json, properties } = writer(seed)
    const wanted = properties.filter(({ name }) => NAMES.includes(name))
    const names = new Set(wanted.map(({ name }) => name))
    const isAmbiguous =
      names.size < wanted.length ||
      wanted.some(({ isString }) => !isString) ||
      properties.some(({ isEscaped }) => isEscaped)
    expect(expected(json), json).toBeDefined()
    expect(found(json), json).toEqual(isAmbiguous ? undefined : expected(json))
    if (!isAmbiguous) accepted++
  }
  expect(accepted).toBeGreaterThan(400)
})

test('finds no other strings than JSON.parse in random objects with random changes', () => {
  let accepted = 0
  for (let seed = 0; seed < 2000; seed++) {
    const { json, random, below } = writer(seed)
    const units = [...json]
    const inserted = random() < 0.5 ? [...'{}[]",:\\ a1u\n\u0000\uFEFF'][below(15)] : undefined
    units.splice(below(units.length), random() < 0.5 ? 1 : 0, ...(inserted ? [inserted] : []))
    const changed = units.join('')
    const strings = found(changed)
    const parsed = expected(changed)
    if (!strings || !parsed) continue
    expect(strings, changed).toEqual(parsed)
    accepted++
  }
  expect(accepted).toBeGreaterThan(200)
})

const deep = (count: number) => '['.repeat(count) + ']'.repeat(count)

test.each([
  ['an empty object', '{}'],
  ['an array', '[{"Type":"a"}]'],
  ['a comma at the end', '{"Type":"a",}'],
  ['no comma', '{"Type":"a" "x":1}'],
  ['no end', '{"Type":"a"'],
  ['a string that ends with a backslash', '{"Type":"a\\'],
  ['an array without an end', '{"Type":"a","x":[1}'],
  ['an object behind it', '{"Type":"a"}{}'],
  ['a line feed in a string', '{"Type":"a\nb"}'],
  ['101 properties', `{${'"x":1,'.repeat(100)}"Type":"a"}`],
])('%s has no strings', (_what, json) => {
  expect(found(json)).toBeUndefined()
})

test.each([
  ['100 properties', `{${'"x":1,'.repeat(99)}"Type":"a"}`],
  ['100,000 arrays inside one another', `{"x":${deep(100_000)},"Type":"a"}`],
])('an object with %s has them', (_what, json) => {
  expect(found(json)).toEqual({ Type: 'a' })
})

test.each([
  ...['\\', '\\x', '\\u123', '\\u12g4', '\\U1234', '\\ud83d\\u12', '\\u-123'],
  // The first and the last half of a pair, alone and with what is no other half.
  ...['\\ud800', '\\udfff', '\\ud800\\udbff', '\\ud800\\ue000', '\\udc00\\udc00'],
])('the invalid escape %s has no bytes', (string) => {
  expect(textOf(encode(`a${string}`))).toBeNull()
})

test('every character has the bytes of UTF-8', () => {
  const wrong: string[] = []
  for (let code = 0; code <= 0x10ffff; code += code < 0x1_2000 ? 1 : 257) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (textOf(encode(escaped(character))) !== character) wrong.push(character)
  }
  expect(wrong).toEqual([])
})

test('the body is not changed, also where Node gives it as a Buffer', () => {
  const body = Buffer.from(JSON.stringify({ Message: '{"order":1001}' }))
  const before = Buffer.from(body)
  const message = stringsOf(body, NAMES)?.get('Message') as Uint8Array
  expect([textOf(message), textOf(message)]).toEqual(['{"order":1001}', '{"order":1001}'])
  expect(body).toEqual(before)
})
