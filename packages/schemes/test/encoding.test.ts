import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { expect, test } from 'vitest'
import { decode, encode } from '../src/engine/encoding.ts'

const random = seeded(7)
const below = (count: number) => Math.floor(random() * count)

const ENCODINGS = ['hex', 'base64', 'base64url'] as const

/** Characters of all encodings, and of none. */
const CHARACTERS = [...'AQgwaf09+/-_=', ' ', '\n', 'é', '\u{1f69a}']

/** A text that is often written as Buffer writes it, but for up to two characters. */
function nearly(encoding: BufferEncoding): string {
  const bytes = Buffer.from(Array.from({ length: below(70) }, () => below(256)))
  let text = bytes.toString(encoding)
  for (let changes = below(3); changes > 0; changes--) {
    const at = below(text.length + 1)
    const put = random() < 0.3 ? '' : (CHARACTERS[below(CHARACTERS.length)] ?? '')
    text = `${text.slice(0, at)}${put}${text.slice(at + below(2))}`
  }
  return text
}

test.each(ENCODINGS)('%s is written as Buffer writes it, and read only then', (encoding) => {
  const verdicts = { read: 0, rejected: 0 }
  const wrong: string[] = []
  for (let round = 0; round < 10_000; round++) {
    const text = nearly(encoding)
    const bytes = Buffer.from(text, encoding)
    const isWritten = bytes.toString(encoding) === text
    const read = decode(encoding, text)
    if (isWritten ? !read || bytes.compare(read) !== 0 : read) wrong.push(text)
    if (encode(encoding, bytes) !== bytes.toString(encoding)) wrong.push(text)
    verdicts[isWritten ? 'read' : 'rejected']++
  }
  expect(wrong).toEqual([])
  expect(Math.min(verdicts.read, verdicts.rejected)).toBeGreaterThan(1000)
})
