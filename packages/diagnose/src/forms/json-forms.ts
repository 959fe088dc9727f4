import { joined, utf8 } from '../text/encodings.ts'
import {
  type JsonText,
  readJsonText,
  type Spacing,
  sortedTokens,
  type TokenStyle,
  writeJsonText,
} from '../text/json-text.ts'
import type { Pace } from '../text/pace.ts'
import { AS_RECEIVED, type BodyForm, type BodyVariant } from './body-form.ts'

const COMPACT = { name: 'without white space', comma: ',', colon: ':' }
const INDENTED = { name: 'indented by 2 spaces', comma: ',', colon: ': ', indent: '  ' }

const SPACINGS: readonly (Spacing & { readonly name: string })[] = [
  COMPACT,
  INDENTED,
  { name: 'with a space after each comma and colon', comma: ', ', colon: ': ' },
  { name: 'indented by 4 spaces', comma: ',', colon: ': ', indent: '    ' },
  { name: 'indented by tabs', comma: ',', colon: ': ', indent: '\t' },
]

type NamedStyle = TokenStyle & { readonly name: string }

const UNCHANGED: NamedStyle = { name: '' }

/** How languages write strings. Each of them escapes at least what JSON requires. */
const ESCAPES: readonly NamedStyle[] = [
  { name: 'without any escape that JSON does not need', read: unescaped },
  {
    name: 'with \\u escapes for all but ASCII, as in Python',
    read: unescaped,
    write: (text) => text.replace(/[\u007f-\uffff]/g, escaped),
  },
  {
    name: 'with escapes for slashes and all but ASCII, as in PHP',
    read: unescaped,
    write: (text) => text.replace(/[/\u0080-\uffff]/g, escaped),
  },
  {
    name: 'with escapes for slashes, as in PHP with JSON_UNESCAPED_UNICODE',
    read: unescaped,
    write: (text) => text.replace(/[/\u2028\u2029]/g, escaped),
  },
  {
    name: 'with escapes for <, > and &, as in Go and Rails',
    read: unescaped,
    write: (text) => text.replace(/[<>&\u2028\u2029]/g, escaped),
  },
  {
    name: 'with capital \\u escapes for all but ASCII and for HTML, as in .NET',
    read: unescaped,
    // An escape is matched as a whole, so that a quote after an escaped backslash is not part of one.
    write: (text) => text.replace(/\\.|[<>&'+`\u007f-\uffff]/g, escapedAsInNet),
  },
]

/** Writes what JSON.stringify writes, for text that is too long to be parsed in one step. */
const STRINGIFY: NamedStyle = {
  name: '',
  read: unescaped,
  number: (token) => JSON.stringify(Number(token)),
}

type Written = BodyVariant & { readonly name: string }

const RESERIALIZED = {
  code: 'body_reserialized',
  what: 'matches the body written as JSON {form}',
  fix: `${AS_RECEIVED} parsed the JSON and wrote it again.`,
}

export const JSON_FORMS: readonly BodyForm[] = [
  {
    ...RESERIALIZED,
    pairs: 2,
    async *variants({ text, json }, pace) {
      if (!json || text === undefined) return
      if (json.short) yield* withSpacings(json.tokens, [UNCHANGED], pace)
      yield* stringified(text, json, pace)
    },
  },
  {
    code: 'body_escapes',
    what: 'matches the body with its strings written {form}',
    fix: `${AS_RECEIVED} wrote the strings of the JSON in another way.`,
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
    ...RESERIALIZED,
    async *variants({ json }, pace) {
      if (!json?.short) return
      for await (const { name, bytes } of withSpacings(json.tokens, ESCAPES, pace)) {
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
    what: 'matches the body with its keys sorted, written as JSON {form}',
    fix: 'Give the receiver the bytes as received, and make the sender sign the bytes that it sends.',
    async *variants({ json }, pace) {
      const sorted = json?.short ? await sortedTokens(json.tokens, pace) : undefined
      if (sorted) yield* withSpacings(sorted, [UNCHANGED, ...ESCAPES], pace)
    },
  },
]

/** What JSON.parse and JSON.stringify make of a text. They lose digits of numbers and, in short JSON, duplicate keys. */
async function* stringified(text: string, json: JsonText, pace: Pace): AsyncIterable<Written> {
  const compact = 'as JSON.stringify writes it'
  const indented = 'as JSON.stringify writes it with 2 spaces'
  if (json.short) {
    await pace(text.length * 100)
    const again = JSON.stringify(JSON.parse(text))
    yield { name: compact, bytes: utf8(again) }
    const { tokens } = (await readJsonText(again, pace)) ?? json
    yield { name: indented, bytes: await writeJsonText(tokens, INDENTED, UNCHANGED, pace) }
  } else {
    yield { name: compact, bytes: await writeJsonText(json.tokens, COMPACT, STRINGIFY, pace) }
    yield { name: indented, bytes: await writeJsonText(json.tokens, INDENTED, STRINGIFY, pace) }
  }
}

async function* withSpacings(
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

function unescaped(token: string): string {
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
