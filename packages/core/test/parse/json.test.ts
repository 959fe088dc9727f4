import { describe, expect, test } from 'vitest'
import { parseJson } from '../../src/parse/json.ts'
import { expectRejection, received } from '../deliveries.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const wrapped = (...middle: number[]) => Uint8Array.from([0x5b, 0x22, ...middle, 0x22, 0x5d])

describe('nesting', () => {
  const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const mixed = (depth: number): string =>
    depth === 0 ? '"]"' : depth % 2 ? `[1,${mixed(depth - 1)}]` : `{"{":${mixed(depth - 1)}}`

  test.each([
    ['arrays', arrays],
    ['objects', objects],
    ['both in turn', mixed],
  ])('of %s is accepted 64 deep and rejected 65 deep: 400 body_too_deep', async (_, text) => {
    expect(parseJson(utf8(text(64)))).toEqual(JSON.parse(text(64)))
    const { detail } = await expectRejection(() => parseJson(utf8(text(65))), 400, 'body_too_deep')
    expect(detail).toContain('more than 64')
  })

  test('counts containers inside one another, not one after the other', () => {
    const wide = `[${Array(1000).fill('{"a":[]}').join(',')}]`
    expect(parseJson(utf8(wide))).toHaveLength(1000)
  })

  test('counts what the application gets: of two properties of one name, the last', async () => {
    const [deep, flat] = [`"a":${arrays(64)}`, '"a":1']
    expect(parseJson(utf8(`{${deep},${flat}}`))).toEqual({ a: 1 })
    const last = utf8(`{${flat},${deep}}`)
    await expectRejection(() => parseJson(last), 400, 'body_too_deep')
  })

  test('counts nothing that the application has added to every object', () => {
    const added: { cycle?: unknown } = {}
    added.cycle = added
    Object.assign(Object.prototype, { added })
    try {
      expect(Object.keys(Object(parseJson(utf8('{"a":[{}]}'))))).toEqual(['a'])
    } finally {
      Reflect.deleteProperty(Object.prototype, 'added')
    }
  })

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ])('of 100,000 × %s is rejected without a stack overflow: 400', async (open, close) => {
    const opened = open.repeat(100_000)
    const whole = `${opened}1${close.repeat(100_000)}`
    await expectRejection(() => parseJson(utf8(whole)), 400, 'body_too_deep')
    await expectRejection(() => parseJson(utf8(opened)), 400, 'body_not_json')
  })

  test('is bounded for a verified delivery too', async () => {
    expect((await received('64 deep')).delivery.known).toBe(true)
    await expectRejection(received('65 deep'), 400, 'body_too_deep')
  })
})

describe('the encoding', () => {
  test.each([
    ['a lone FF', [0xff]],
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['an overlong form of three bytes', [0xe0, 0x80, 0xaf]],
    ['an overlong form of four bytes', [0xf0, 0x80, 0x80, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a pair of surrogates (CESU-8)', [0xed, 0xa0, 0xbd, 0xed, 0xb1, 0x8b]],
    ['a code point past U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a sequence cut off by a quote', [0xe2, 0x82]],
    ['Latin-1', [0xe9]],
  ])('is rejected for %s: 400 body_not_utf8', async (_, middle) => {
    await expectRejection(() => parseJson(wrapped(...middle)), 400, 'body_not_utf8')
  })

  test('is rejected where the body ends inside a character, and leaves nothing for the next', async () => {
    const cut = Uint8Array.from([0x22, 0xf0, 0x9f, 0x91])
    await expectRejection(() => parseJson(cut), 400, 'body_not_utf8')
    expect(parseJson(utf8('"next"'))).toBe('next')
  })

  test.each([
    ['UTF-16 LE', Buffer.from('\uFEFF{}', 'utf16le')],
    ['UTF-16 BE', Buffer.from('\uFEFF{}', 'utf16le').swap16()],
  ])('is rejected for %s with a byte order mark: 400 body_not_utf8', async (_, bytes) => {
    await expectRejection(() => parseJson(bytes), 400, 'body_not_utf8')
  })

  test('is rejected for UTF-16 without a byte order mark: 400 body_not_json', async () => {
    await expectRejection(() => parseJson(Buffer.from('{}', 'utf16le')), 400, 'body_not_json')
  })

  test('may be a literal U+FFFD, an emoji, a NUL escape or U+2028', () => {
    expect(parseJson(wrapped(0xef, 0xbf, 0xbd))).toEqual(['\uFFFD'])
    expect(parseJson(utf8('"👋🏽\u2028\\u0000"'))).toBe('👋🏽\u2028\0')
  })

  test('may hold the escape of a lone surrogate, which is valid JSON', () => {
    expect(parseJson(utf8('["\\ud800","\\uDC00x"]'))).toEqual(['\ud800', '\udc00x'])
  })

  test('is rejected for a verified delivery too: 400 body_not_utf8', async () => {
    const { detail } = await expectRejection(received('not utf-8'), 400, 'body_not_utf8')
    expect(detail).toContain('signature is valid')
  })
})

describe('the syntax', () => {
  test.each([
    ['nothing', '', 'empty'],
    ['white space', ' \n', 'not JSON'],
    ['a byte order mark', '\uFEFF{}', 'JSON after a byte order mark'],
    ['a word', 'hello', 'not JSON'],
    ['a form', 'a=1&b=2', 'not JSON'],
    ['XML', '<a/>', 'not JSON'],
    ['an open object', '{"a":1', 'not JSON'],
    ['an open string', '{"a":"', 'not JSON'],
    ['an open string behind a backslash', '["a\\"', 'not JSON'],
    ['a trailing comma', '{"a":1,}', 'not JSON'],
    ['a comment', '{}//', 'not JSON'],
    ['single quotes', "{'a':1}", 'not JSON'],
    ['two values', '{}{}', 'not JSON'],
    ['NaN', '[NaN]', 'not JSON'],
    ['a leading zero', '[01]', 'not JSON'],
    ['a raw line break in a string', '["\n"]', 'not JSON'],
    ['a NUL behind it', '{}\0', 'not JSON'],
    ['brackets that do not match', '[}', 'not JSON'],
  ])('of %s is rejected: 400 body_not_json', async (_, text, fault) => {
    const error = await expectRejection(() => parseJson(utf8(text)), 400, 'body_not_json')
    expect(error.detail).toContain(`the body of ${text.length} characters is ${fault}.`)
    expect(error.cause).toBeUndefined()
  })

  test.each(['empty body', 'not json', 'cut off json', 'byte order mark'] as const)(
    'of a verified delivery is judged too (%s): 400 body_not_json',
    async (name) => {
      await expectRejection(received(name), 400, 'body_not_json')
    },
  )

  test('may be anything that JSON allows', async () => {
    expect(parseJson(utf8(' [1.0, 1E2, -0, true, null, ""]\r\n'))).toEqual([
      1,
      100,
      -0,
      true,
      null,
      '',
    ])
    const { delivery } = await received('spaced and escaped')
    expect(delivery).toMatchObject({
      id: 'a/b/c',
      event: 'message.read',
      data: { data: { m: 100 } },
    })
  })

  test('lets the last of two properties with one name win', () => {
    expect(parseJson(utf8('{"a":1,"a":2}'))).toEqual({ a: 2 })
  })
})
