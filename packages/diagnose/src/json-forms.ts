import type { BodyForm, BodyVariant } from './body-variant.ts'
import { joined, utf8 } from './encodings.ts'
import {
  type JsonText,
  readJsonText,
  type Spacing,
  sortedTokens,
  type TokenStyle,
  writeJsonText,
} from './json-text.ts'
import type { Pace } from './pace.ts'

const COMPACT = { name: 'without white space', comma: ',', colon: ':' }
const INDENTED = { name: 'indented by 2 spaces', comma: ',', colon: ': ', indent: '  ' }

const SPACINGS: readonly (Spacing & { readonly name: string })[] = [
  COMPACT,
  { name: 'with a space behind each comma and colon', comma: ', ', colon: ': ' },
  INDENTED,
  { name: 'indented by 4 spaces', comma: ',', colon: ': ', indent: '    ' },
  { name: 'indented by tabs', comma: ',', colon: ': ', indent: '\t' },
]

type NamedStyle = TokenStyle & { readonly name: string }

const AS_IT_IS: NamedStyle = { name: '' }

/** How languages write the characters of a string; each is a superset of what JSON asks for. */
const ESCAPES: readonly NamedStyle[] = [
  { name: 'with every character that can stand literally', read: plain },
  {
    name: 'with \\u escapes for all but ASCII, as in Python',
    read: plain,
    write: (text) => text.replace(/[\u007f-\uffff]/g, escaped),
  },
  {
    name: 'with escapes for slashes and all but ASCII, as in PHP',
    read: plain,
    write: (text) => text.replace(/[/\u0080-\uffff]/g, escaped),
  },
  {
    name: 'with escapes for slashes, as in PHP with JSON_UNESCAPED_UNICODE',
    read: plain,
    write: (text) => text.replace(/[/\u2028\u2029]/g, escaped),
  },
  {
    name: 'with escapes for <, > and &, as in Go and Rails',
    read: plain,
    write: (text) => text.replace(/[<>&\u2028\u2029]/g, escaped),
  },
  {
    name: 'with capital \\u escapes for all but ASCII and for HTML, as in .NET',
    read: plain,
    // Escapes are taken whole, so that the quote behind an escaped backslash is none of them.
    write: (text) => text.replace(/\\.|[<>&'+`\u007f-\uffff]/g, escapedAsInNet),
  },
]

/** What JSON.stringify makes of text that is too long to be parsed at once. */
const STRINGIFY: NamedStyle = {
  name: '',
  read: plain,
  number: (token) => JSON.stringify(Number(token)),
}

type Written = BodyVariant & { readonly name: string }

export const JSON_FORMS: readonly BodyForm[] = [
  {
    code: 'body_reserialized',
    what: 'fits the body written as JSON {form}',
    fix: 'Give the receiver the bytes as they came: something between here and the sender parsed the JSON and wrote it again.',
    pairs: 1,
    async *variants({ text, json }, pace) {
      if (!json || text === undefined) return
      if (json.short) yield* spaced(json.tokens, [AS_IT_IS], pace)
      yield* stringified(text, json, pace)
    },
  },
  {
    code: 'body_escapes',
    what: 'fits the body with its strings written {form}',
    fix: 'Give the receiver the bytes as they came: something between here and the sender wrote the strings of the JSON in another way.',
    async *variants({ json }, pace) {
      if (!json?.short) return
      for (const style of ESCAPES) {
        yield {
          name: style.name,
          bytes: await writeJsonText(json.spaced, undefined, style, pace),
        }
      }
    },
  },
  {
    code: 'body_reserialized',
    what: 'fits the body written as JSON {form}',
    fix: 'Give the receiver the bytes as they came: something between here and the sender parsed the JSON and wrote it again.',
    async *variants({ json }, pace) {
      if (!json?.short) return
      for await (const { name, bytes } of spaced(json.tokens, ESCAPES, pace)) {
        yield { name, bytes }
        // Go's Encoder and many templates end with a line break.
        yield {
          name: `${name}, with a line break at the end`,
          bytes: bytes && joined(bytes, Uint8Array.of(10)),
        }
      }
    },
  },
  {
    code: 'body_keys_sorted',
    what: 'fits the body with its keys sorted, written as JSON {form}',
    fix: 'Give the receiver the bytes as they came, and let the sender sign the bytes that it sends.',
    async *variants({ json }, pace) {
      const sorted = json?.short ? await sortedTokens(json.tokens, pace) : undefined
      if (sorted) yield* spaced(sorted, [AS_IT_IS, ...ESCAPES], pace)
    },
  },
]

/** Without what JSON.parse loses: the digits of numbers, and in short JSON the keys that come twice. */
async function* stringified(text: string, json: JsonText, pace: Pace): AsyncIterable<Written> {
  const compact = 'as JSON.stringify writes it'
  const indented = 'as JSON.stringify writes it with 2 spaces'
  if (json.short) {
    await pace(text.length * 100)
    const again = JSON.stringify(JSON.parse(text))
    yield { name: compact, bytes: utf8(again) }
    const { tokens } = (await readJsonText(again, pace)) ?? json
    yield { name: indented, bytes: await writeJsonText(tokens, INDENTED, AS_IT_IS, pace) }
  } else {
    yield { name: compact, bytes: await writeJsonText(json.tokens, COMPACT, STRINGIFY, pace) }
    yield { name: indented, bytes: await writeJsonText(json.tokens, INDENTED, STRINGIFY, pace) }
  }
}

async function* spaced(
  tokens: readonly string[],
  styles: readonly NamedStyle[],
  pace: Pace,
): AsyncIterable<Written> {
  for (const style of styles) {
    for (const spacing of SPACINGS) {
      const name = style.name === '' ? spacing.name : `${spacing.name} and ${style.name}`
      yield { name, bytes: await writeJsonText(tokens, spacing, style, pace) }
    }
  }
}

function plain(token: string): string {
  return JSON.stringify(JSON.parse(token))
}

function escaped(character: string): string {
  return character === '/' ? '\\/' : `\\u${digits(character)}`
}

function escapedAsInNet(found: string): string {
  if (found === '\\"') return '\\u0022'
  return found.startsWith('\\') ? found : `\\u${digits(found).toUpperCase()}`
}

function digits(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}
