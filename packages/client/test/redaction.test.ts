import { expect, it } from 'vitest'
import { redaction, withoutSecrets } from '../src/redaction.ts'

const KEY = 'sk_live/4f8a"1c2d+\\n%41~key'
const redact = redaction(KEY, '[key]')

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
const byUnit = (prefix: string, digits: number) =>
  [...KEY].map((char) => prefix + char.charCodeAt(0).toString(16).padStart(digits, '0')).join('')

it('replaces each occurrence of a key', () => {
  expect(redact(`<${KEY}> and <${KEY}>`)).toBe('<[key]> and <[key]>')
})

it.each([
  ['percent-encoded in lower case', encodeURIComponent(KEY).toLowerCase()],
  ['percent-encoded byte by byte', byUnit('%', 2)],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(KEY))],
  ['in JSON with escaped slashes', inJson(KEY).replaceAll('/', '\\/')],
  ['in JSON within JSON within JSON', inJson(inJson(inJson(KEY)))],
  ['in JSON unit by unit', byUnit('\\u', 4)],
  ['in a URL within JSON', inJson(`https://x/?a=${encodeURIComponent(KEY)}`)],
])('replaces the whole of a text that contains a key %s', (_, spelling) => {
  expect(redact(`before ${KEY} <${spelling}> after`)).toBe('[key]')
})

it('leaves everything else as it is', () => {
  const text = 'a%20b \\u0041 \\" 100% \\ %zz \\u12 sk_live 😀'
  expect(redact(text)).toBe(text)
})

it('leaves a text as it is for a key of a few letters, which is in other words', () => {
  expect(redaction('api', '[key]')('rapid')).toBe('rapid')
})

it('takes text of megabytes at once', () => {
  const backslashes = '\\'.repeat(1_000_000)
  expect(redaction(`whsec_${'\\'.repeat(4000)}x`, '[key]')(backslashes)).toBe(backslashes)
  const percents = `%${'25'.repeat(500_000)}`
  expect(redact(percents)).toBe(percents)
})

it('takes out what looks like a secret, up to where it ends', () => {
  const text = '{"secret":"whsec_a/b+c\\"d"} ?s=whsec_1%2F2&t=3 whsec_'
  expect(withoutSecrets(text)).toBe('{"secret":"[a secret]"d"} ?s=[a secret]&t=3 [a secret]')
})
