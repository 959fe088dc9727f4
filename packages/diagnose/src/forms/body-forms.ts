import { joined, utf8 } from '../text/encodings.ts'
import { betweenLines, changed, slicesOf } from '../text/slices.ts'
import { AS_RECEIVED, type BodyForm } from './body-form.ts'
import { JSON_FORMS } from './json-forms.ts'
import { RECODING_FORMS } from './recoding-forms.ts'

const LINE_ENDS = [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
] as const
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf)

export const BODY_FORMS: readonly BodyForm[] = [
  {
    code: 'body_final_newline',
    what: 'matches the body with {form}',
    fix: `${AS_RECEIVED} added, removed or changed the line break at the end.`,
    pairs: 2,
    *variants({ bytes }) {
      const bare = withoutEnd(bytes)
      const name = 'another line break, or none, at its end'
      yield { name, bytes: bare }
      for (const end of ['\n', '\r\n', '\r']) yield { name, bytes: joined(bare, utf8(end)) }
    },
  },
  {
    code: 'body_line_breaks',
    what: 'matches the body with its line breaks written as {form}',
    fix: `${AS_RECEIVED} changed the line breaks of the text.`,
    async *variants({ text }, pace) {
      if (text === undefined) return
      for (const [name, end] of LINE_ENDS) {
        const change = (lines: string) => lines.replace(/\r\n|[\r\n]/g, end)
        yield { name, bytes: await changed(slicesOf(text, betweenLines), change, pace) }
      }
    },
  },
  {
    code: 'body_bom',
    what: 'matches the body {form} a byte order mark',
    fix: `${AS_RECEIVED} added or dropped the byte order mark.`,
    *variants({ bytes }) {
      const has = BOM.every((byte, at) => bytes[at] === byte)
      if (has) yield { name: 'without', bytes: bytes.subarray(BOM.length) }
      else yield { name: 'with', bytes: joined(BOM, bytes) }
    },
  },
  {
    code: 'body_trimmed',
    what: 'matches the body with other white space around it',
    fix: `${AS_RECEIVED} trimmed or padded the body.`,
    *variants({ bytes, text }) {
      if (text === undefined) return
      yield { bytes: utf8(text.trim()) }
      yield { bytes: utf8(text.trimStart()) }
      yield { bytes: utf8(text.trimEnd()) }
      for (const space of [' ', '\n', '\r\n', '\t'].map(utf8)) {
        yield { bytes: joined(space, bytes) }
        yield { bytes: joined(space, bytes, space) }
        yield { bytes: joined(bytes, space, space) }
      }
      yield { bytes: joined(bytes, utf8(' ')) }
      yield { bytes: joined(bytes, utf8('\0')) }
      yield { bytes: withoutZeros(bytes) }
    },
  },
  {
    code: 'message_without_body',
    what: 'matches {form} in place of the bytes of the body',
    fix: 'Make the sender sign the text of the body that it sends, not an empty text or an object.',
    *variants({ bytes }) {
      if (bytes.length === 0) return
      for (const text of ['', '[object Object]', 'undefined', 'null', '{}']) {
        yield { name: text === '' ? 'an empty text' : JSON.stringify(text), bytes: utf8(text) }
      }
    },
  },
  ...JSON_FORMS,
  ...RECODING_FORMS,
]

function withoutEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  if (bytes[end - 1] === 10) end--
  if (bytes[end - 1] === 13) end--
  return bytes.subarray(0, end)
}

/** A regular expression for the zeros at the end would take quadratic time. */
function withoutZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (bytes[end - 1] === 0) end--
  return bytes.subarray(0, end)
}
