import { describe, expect, it } from 'vitest'
import { redactedValue, redaction } from '../src/redaction.ts'

const KEY = 'sk_live/4f8a"1c2d+é\\n%41~key'
const redact = redaction(KEY, '[key]')

const bytesOf = (text: string) => [...Buffer.from(text)]
const base64 = (text: string) => Buffer.from(text).toString('base64')
const everyByte = (text: string) =>
  bytesOf(text)
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('')
const everyUnit = (text: string) =>
  [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
const lower = (text: string) => text.replace(/%../g, (code) => code.toLowerCase())

const SPELLINGS: readonly (readonly [string, string])[] = [
  ['as it is', KEY],
  ['percent-encoded', encodeURIComponent(KEY)],
  ['percent-encoded in lower case', lower(encodeURIComponent(KEY))],
  ['percent-encoded byte by byte', everyByte(KEY)],
  ['percent-encoded byte by byte in upper case', everyByte(KEY).toUpperCase()],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(KEY))],
  ['in JSON', inJson(KEY)],
  ['in JSON with escaped slashes', inJson(KEY).replaceAll('/', '\\/')],
  ['in JSON within JSON within JSON', inJson(inJson(inJson(KEY)))],
  ['in JSON unit by unit', everyUnit(KEY)],
  [
    'in JSON unit by unit in upper case',
    everyUnit(KEY).replace(/[a-f]/g, (digit) => digit.toUpperCase()),
  ],
  ['in a URL within JSON', inJson(`https://x/?a=${encodeURIComponent(KEY)}`)],
  ['as JSON within a URL', encodeURIComponent(JSON.stringify({ KEY }))],
  ['in Base64', base64(KEY)],
  ['in Base64 for URLs', Buffer.from(KEY).toString('base64url')],
  ['in Base64 that is percent-encoded', encodeURIComponent(base64(KEY))],
  ['in the Base64 of a pair', base64(`u:${KEY}`)],
  ['in the Base64 of another pair', base64(`me:${KEY}!`)],
  ['in the Base64 of a third pair', base64(`you:${KEY}:pass`)],
]

/** What a reader makes of a text who undoes every escape that is in it. */
function undone(text: string): string {
  let [before, after] = ['', text]
  while (before !== after) {
    before = after
    after = after
      .replace(/(?:%[\da-f]{2})+/gi, (run) =>
        Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
      )
      .replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\(["/\\])/g, '$1')
  }
  return after
}

describe('a key', () => {
  it.each(SPELLINGS)('is taken out %s', (_, spelling) => {
    const text = redact(`before <${spelling}> after <${spelling}>`)
    expect(text).toMatch(/^before <.*\[key\].*> after <.*\[key\].*>$/)
    for (const part of [KEY, undone(KEY)]) expect(undone(text)).not.toContain(part)
    for (const run of undone(text).match(/[\w+/-]{8,}/g) ?? []) {
      expect(Buffer.from(run, 'base64').toString()).not.toContain(KEY.slice(0, 6))
    }
  })

  it.each(SPELLINGS)('leaves no beginning where a text is cut, %s', (_, spelling) => {
    for (let length = 1; length < spelling.length; length++) {
      const text = redact(`before <${spelling.slice(0, length)}`, true)
      expect(undone(text)).not.toContain('sk_live')
      expect(text).toMatch(/^before </)
      expect(Buffer.from(text.slice(8), 'base64').toString()).not.toContain('live')
    }
  })

  it('leaves everything else as it is', () => {
    const text = 'a%20b \\u0041 \\" 100% \\ %zz \\u12 c2tfbGl2 sk_live 😀'
    expect(redact(text)).toBe(text)
    expect(redact(`${text}${encodeURIComponent(KEY)}${text}`)).toBe(`${text}[key]${text}`)
  })

  it('is taken out in the spelling of every one of 2,000 mixtures', () => {
    let state = 1
    const draw = (count: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % count
    }
    const word = 'k"/-Zz~%9+uA'
    const take = redaction(word, '[key]')
    for (let round = 0; round < 2000; round++) {
      let text = word
      for (let layer = draw(4); layer > 0; layer--) {
        const all = draw(2) === 0
        const inUrl = draw(2) === 0
        text = [...text]
          .map((char) => {
            const needed = inUrl ? /[%"/\\]/.test(char) : /["\\]/.test(char)
            if (!needed && !all && draw(3) > 0) return char
            const digits = char.charCodeAt(0).toString(16)
            const cased = draw(2) === 0 ? digits : digits.toUpperCase()
            if (inUrl) return `%${cased}`
            return /["/\\]/.test(char) && draw(2) === 0 ? `\\${char}` : `\\u00${cased}`
          })
          .join('')
      }
      expect(take(`<${text}>`), text).toBe('<[key]>')
    }
  })

  it('of more than 4096 characters takes the rest of the text with it', () => {
    const long = `sk_${'0123456789'.repeat(500)}`
    expect(redaction(long, '[key]')(`before ${long} after`)).toBe('before [key]')
  })

  it('is searched for without stepping back', () => {
    const word = `whsec_${'\\'.repeat(4000)}x`
    const text = `whsec_${'\\'.repeat(1_000_000)}`
    expect(redaction(word, '[key]')(text)).toBe(text)
  })
})

describe('a value', () => {
  const take = (value: unknown) => redactedValue(value, [[KEY, redact]])

  it('loses a key in the name of a member', () => {
    const named = { [KEY]: 1, a: [{ [`x-${encodeURIComponent(KEY)}`]: { [base64(KEY)]: null } }] }
    expect(take(named)).toEqual({ '[key]': 1, a: [{ 'x-[key]': { '[key]': null } }] })
  })

  it('keeps a member that is called __proto__ as a member', () => {
    expect(JSON.stringify(take(JSON.parse('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}')
  })

  it('is kept 64 containers deep, and what is below is replaced', () => {
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect(take(nested(64))).toEqual(nested(64))
    expect(JSON.stringify(take(nested(65)))).toContain('["[nested too deeply]"]')
    expect(JSON.stringify(take(nested(200_000)))).toContain('["[nested too deeply]"]')
  })
})
