import { expect, test } from 'vitest'
import { diagnose } from '../src/index.ts'
import { MAX_JSON } from '../src/text/json-text.ts'
import { produced } from './produced.ts'

type Bytes = string | Uint8Array

/** The bytes of text in which each character stands for the byte of its number. */
const bytes = (text: string) => Buffer.from(text, 'latin1')

async function diagnosed(body: Bytes, signedBody: Bytes) {
  const [first] = await diagnose(produced({ body, signedBody }))
  return first
}

test.each<readonly [code: string, says: string, came: Bytes, signed: Bytes]>([
  ['body_final_newline', 'with another line break, or none, at its end', 'a', 'a\r'],
  ['body_line_breaks', 'with its line breaks written as LF', 'a\rb', 'a\nb'],
  ['body_line_breaks', 'with its line breaks written as CRLF', 'a\nb', 'a\r\nb'],
  ['body_line_breaks', 'with its line breaks written as CR', 'a\nb', 'a\rb'],
  // The first byte of a full-width digit is that of a byte order mark.
  ['body_bom', 'with a byte order mark', '１', '\uFEFF１'],
  ['body_reserialized', 'written as JSON without white space.', '{"a": 1}', '{"a":1}'],
  [
    'body_reserialized',
    'written as JSON without white space and with escapes for <, > and &, as in Go and Rails.',
    '{"a": "<b>"}',
    '{"a":"\\u003cb\\u003e"}',
  ],
  [
    'body_reserialized',
    'with escapes for <, > and &, as in Go and Rails, with a line break at the end.',
    '{"a": "<b>"}',
    '{"a":"\\u003cb\\u003e"}\n',
  ],
  [
    'body_escapes',
    'with \\u escapes for all but ASCII, as in Python',
    '{"a":"é"}',
    '{"a":"\\u00e9"}',
  ],
  [
    'body_keys_sorted',
    'written as JSON without white space and with escapes for slashes, as in PHP',
    '{"b":"/é","a":1}',
    '{"a":1,"b":"\\/é"}',
  ],
  ['body_recoded', 'with U+FFFD for what is not UTF-8', bytes('"\xff"'), '"\uFFFD"'],
  ['body_recoded', 'read as Latin-1 and written as UTF-8', bytes('"é"'), '"é"'],
  ['body_quoted', 'that is inside its JSON string', '"{\\"a\\":1}"', '{"a":1}'],
  ['body_base64', 'decoded from base64', 'eyJhIjoxfQ==\r\n', '{"a":1}'],
])('names %s, "%s", where %j came', async (code, says, came, signed) => {
  const found = await diagnosed(came, signed)
  expect(found).toMatchObject({ code, certainty: 'certain' })
  expect(found.message).toContain(says)
})

test.each([
  ['  [] \n\n', '[]'],
  ['  [] \n\n', '  []'],
  ['[]', '\r\n[]'],
  ['[]', '\n[]\n'],
  ['[]', '[] '],
  ['[]', '[]\r\n\r\n'],
  ['[]', '[]\0'],
  ['[]\0', '[]'],
])('names body_trimmed where %j came and %j was signed', async (came, signed) => {
  expect(await diagnosed(came, signed)).toMatchObject({
    code: 'body_trimmed',
    certainty: 'certain',
  })
})

test.each([
  ['a character cut to a byte', '"\u014D"', '"M"'],
  ['a text with quotes that is not JSON', 'say "\\x"', 'say'],
])('names nothing for %s', async (_, came, signed) => {
  expect(await diagnosed(came, signed)).toMatchObject({ code: 'unknown' })
})

test('names nothing for a MAC over nothing, whatever came', async () => {
  for (const body of ['text', '{"a":1}', bytes('\xff')]) {
    const [first] = await diagnose(produced({ signed: [''], body }))
    expect(first.code).toBe('unknown')
  }
})

test('JSON is written in every form up to the bound, and not above it', async () => {
  for (const [over, code] of [
    [0, 'body_reserialized'],
    [1, 'unfinished'],
  ] as const) {
    const items = ['x'.repeat(MAX_JSON + over - '[""]'.length)]
    expect(await diagnosed(JSON.stringify(items), JSON.stringify(items, null, 4))).toMatchObject({
      code,
    })
  }
})
