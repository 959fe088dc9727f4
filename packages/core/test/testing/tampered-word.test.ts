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
    'the case of the last letter where there is no text',
    '{"event":"a.b","time":"2026-01-01T00:00:00Z", "n": 1}',
    '{"event":"a.b","time":"2026-01-01T00:00:00Z", "N": 1}',
    'the last letter "n" became "N"',
  ],
  [
    'what was tampered with already',
    '{"text":"is tampered"}',
    '{"text":"is changed"}',
    '"tampered" became "changed"',
  ],
  ['a body without a word', '[1,2]', 'x', 'the body became "x"'],
])('changes %s, and says which', (_, body, tampered, note) => {
  const found = tamperedWord(Buffer.from(body))
  expect([Buffer.from(found.body).toString(), found.note]).toEqual([tampered, note])
})

it('leaves all other bytes as they are', () => {
  const [start, end] = [Buffer.of(0xff, 0xfe), Buffer.from('é')]
  const { body } = tamperedWord(Buffer.concat([start, Buffer.from('word'), end]))
  expect(Buffer.from(body)).toEqual(Buffer.concat([start, Buffer.from('worD'), end]))
})
