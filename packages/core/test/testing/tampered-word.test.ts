import { expect, it } from 'vitest'
import { tamperedWord } from '../../src/internal.ts'

it.each([
  [
    'the last word of the last text',
    '{"text":"Are you open on Saturday?","status":"sent"}',
    '{"text":"Are you open on tampered?","status":"sent"}',
    '"Saturday" became "tampered"',
  ],
  [
    'the case of the last letter of a value where there is no text',
    '{"event":"a.b","time":"2026-01-01T00:00:00Z\\n", "n": null}',
    '{"event":"a.b","time":"2026-01-01T00:00:00z\\n", "n": null}',
    'the last letter "Z" became "z"',
  ],
  [
    'a word between quotes of a text',
    '{"text":"say \\"hello\\" \\u00e9","n":true}',
    '{"text":"say \\"tampered\\" \\u00e9","n":true}',
    '"hello" became "tampered"',
  ],
  ['a digit where there is no letter', '[19,null]', '[18,null]', 'the last digit "9" became "8"'],
  ['a value of a form', 'To=a%2F&Last=0', 'To=A%2F&Last=0', 'the last letter "a" became "A"'],
  [
    'a value of JSON in a form',
    'payload=%7B%22a%22%3A%22b%22%2C%22c%22%3Anull%7D',
    'payload=%7B%22a%22%3A%22B%22%2C%22c%22%3Anull%7D',
    'the last letter "b" became "B"',
  ],
  [
    'a text of XML',
    '<a><b>c&amp;</b></a>',
    '<a><b>C&amp;</b></a>',
    'the last letter "c" became "C"',
  ],
  [
    'what was tampered with already',
    '{"text":"is tampered"}',
    '{"text":"is changed"}',
    '"tampered" became "changed"',
  ],
  [
    'the end where no value can change',
    '{"a":null}',
    '{"a":null} ',
    'a space was added at the end',
  ],
])('changes %s, and says which', (_, body, tampered, note) => {
  const found = tamperedWord(Buffer.from(body))
  expect([Buffer.from(found.body).toString(), found.note]).toEqual([tampered, note])
})

it('leaves all other bytes as they are', () => {
  const [start, end] = [Buffer.of(0xff, 0xfe), Buffer.from('é')]
  const { body } = tamperedWord(Buffer.concat([start, Buffer.from('word'), end]))
  expect(Buffer.from(body)).toEqual(Buffer.concat([start, Buffer.from('worD'), end]))
})
