import type { BodyForm } from './body-forms.ts'
import { fromBase64, latin1, latin1TextOf, lossyTextOf, utf8 } from './encodings.ts'

/** What windows-1252 has at 80–9F, where Latin-1 has control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

const BYTES = 'Give the receiver the bytes as they came: something between here and the sender'

/** Bodies that were read as text, and written as another. */
export const RECODING_FORMS: readonly BodyForm[] = [
  {
    code: 'body_recoded',
    what: 'fits the body {form}',
    fix: `${BYTES} read it as text of another encoding and wrote it again.`,
    *variants({ bytes, text }) {
      if (text === undefined) {
        yield { name: 'with U+FFFD for what is not UTF-8', bytes: utf8(lossyTextOf(bytes)) }
      } else {
        yield { name: 'before its UTF-8 was read as Latin-1', bytes: latin1(text) }
        yield {
          name: 'before its UTF-8 was read as windows-1252',
          bytes: latin1(fromWindows(text)),
        }
        yield { name: 'in Unicode normalization form C', bytes: utf8(text.normalize('NFC')) }
        yield { name: 'in Unicode normalization form D', bytes: utf8(text.normalize('NFD')) }
      }
      const wide = latin1TextOf(bytes)
      yield { name: 'read as Latin-1 and written as UTF-8', bytes: utf8(wide) }
      yield { name: 'read as windows-1252 and written as UTF-8', bytes: utf8(toWindows(wide)) }
    },
  },
  {
    code: 'body_base64',
    what: 'fits the body decoded from base64',
    fix: 'Decode the body before the receiver gets it: gateways for functions hand it over in base64 (isBase64Encoded).',
    *variants({ text }) {
      if (text !== undefined) yield { bytes: fromBase64(text.trim()) }
    },
  },
  {
    code: 'body_quoted',
    what: 'fits the body {form}',
    fix: `${BYTES}, or the sender itself, made JSON of what was JSON already.`,
    *variants({ text, json }) {
      if (text === undefined) return
      if (json?.kind === 'string')
        yield { name: 'that stands inside its JSON string', bytes: utf8(JSON.parse(json.token)) }
      yield { name: 'written as a JSON string', bytes: utf8(JSON.stringify(text)) }
    },
  },
  {
    code: 'body_url_encoded',
    what: 'fits the body {form}',
    fix: 'Let the sender send the JSON itself, and let nothing read or write it as a form.',
    *variants({ text }) {
      if (text === undefined) return
      const value = text.replace(/^\w+=/, '')
      for (const encoded of new Set([text, value, text.replace(/=$/, '')])) {
        yield { name: 'decoded from a URL', bytes: decoded(encoded) }
        yield { name: 'decoded from a form', bytes: decoded(encoded.replaceAll('+', ' ')) }
      }
      const name = 'encoded for a URL or a form'
      const encoded = encodeURIComponent(text)
      yield { name, bytes: utf8(encoded) }
      yield { name, bytes: utf8(new URLSearchParams({ a: text }).toString().slice(2)) }
    },
  },
]

function toWindows(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (character) =>
    WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80),
  )
}

function fromWindows(text: string): string {
  return text.replace(/[^\0-\xff]/g, (character) => {
    const at = WINDOWS_1252.indexOf(character)
    return at < 0 ? character : String.fromCharCode(at + 0x80)
  })
}

function decoded(text: string): Uint8Array | undefined {
  try {
    return utf8(decodeURIComponent(text))
  } catch {
    return undefined
  }
}
