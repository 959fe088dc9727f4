import { fromBase64, joined, latin1, latin1TextOf, lossyTextOf, utf8 } from '../text/encodings.ts'
import { byteSlicesOf, changed, slicesOf } from '../text/slices.ts'
import { AS_RECEIVED, type BodyForm } from './body-form.ts'

/** Bodies that were read in one encoding and written in another. */
export const RECODING_FORMS: readonly BodyForm[] = [
  {
    code: 'body_recoded',
    what: 'matches the body {form}',
    fix: `${AS_RECEIVED} read it as text of another encoding and wrote it again.`,
    async *variants({ bytes, text }, pace) {
      const slices = () => byteSlicesOf(bytes)
      if (text === undefined) {
        const name = 'with U+FFFD for what is not UTF-8'
        yield { name, bytes: await changed(slices(), lossyTextOf, pace) }
      } else {
        const name = 'before its UTF-8 was read as Latin-1'
        yield { name, bytes: await changed(slicesOf(text), latin1, pace) }
      }
      const name = 'read as Latin-1 and written as UTF-8'
      yield { name, bytes: await changed(slices(), latin1TextOf, pace) }
    },
  },
  {
    code: 'body_base64',
    what: 'matches the body decoded from base64',
    fix: 'Decode the body before the receiver gets it: function gateways pass it on in base64 (isBase64Encoded).',
    async *variants({ text }, pace) {
      // Its slices are of 8,192 characters, which are whole groups of four.
      const encoded = withoutPadding(text?.trim() ?? '')
      if (encoded !== '') yield { bytes: await changed(slicesOf(encoded), fromBase64, pace) }
    },
  },
  {
    code: 'body_quoted',
    what: 'matches the body {form}',
    fix: `${AS_RECEIVED}, or the sender itself, encoded JSON as JSON once more.`,
    async *variants({ text, json }, pace) {
      if (text === undefined) return
      const [token, ...others] = json?.tokens ?? []
      if (token?.startsWith('"') && others.length === 0)
        yield { name: 'that is inside its JSON string', bytes: unquoted(token) }
      const inside = await changed(
        slicesOf(text),
        (slice) => JSON.stringify(slice).slice(1, -1),
        pace,
      )
      const name = 'written as a JSON string'
      yield { name, bytes: inside && joined(QUOTE, inside, QUOTE) }
    },
  },
]

const QUOTE = utf8('"')

function withoutPadding(text: string): string {
  return text.endsWith('==') ? text.slice(0, -2) : text.endsWith('=') ? text.slice(0, -1) : text
}

function unquoted(token: string): Uint8Array | undefined {
  try {
    return utf8(JSON.parse(token))
  } catch {
    return undefined
  }
}
