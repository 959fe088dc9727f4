import type { BodyForm, BodyVariant } from './body-forms.ts'
import { joined, utf8 } from './encodings.ts'
import {
  type JsonText,
  readJsonText,
  type Spacing,
  sortedJsonText,
  writeJsonText,
} from './json-text.ts'

/** The longest JSON that is written in every form, in characters: each costs about as much as reading it. */
export const MAX_JSON = 131_072

const SPACINGS: readonly (Spacing & { readonly name: string })[] = [
  { name: 'without white space', comma: ',', colon: ':' },
  { name: 'with a space behind each comma and colon', comma: ', ', colon: ': ' },
  { name: 'indented by 2 spaces', comma: ',', colon: ': ', indent: '  ' },
  { name: 'indented by 4 spaces', comma: ',', colon: ': ', indent: '    ' },
  { name: 'indented by tabs', comma: ',', colon: ': ', indent: '\t' },
]

const AS_IT_IS = { name: '', write: (token: string) => token }

/** How languages write the characters of a string; each is a superset of what JSON asks for. */
const ESCAPES: readonly { readonly name: string; readonly write: (token: string) => string }[] = [
  { name: 'with every character that can stand literally', write: plain },
  {
    name: 'with \\u escapes for all but ASCII, as in Python',
    write: (token) => escaped(plain(token), /[\u007f-\uffff]/g),
  },
  {
    name: 'with escapes for slashes and all but ASCII, as in PHP',
    write: (token) => escaped(plain(token), /[\u0080-\uffff]/g).replaceAll('/', '\\/'),
  },
  {
    name: 'with escapes for slashes, as in PHP with JSON_UNESCAPED_UNICODE',
    write: (token) => escaped(plain(token), /[\u2028\u2029]/g).replaceAll('/', '\\/'),
  },
  {
    name: 'with escapes for <, > and &, as in Go and Rails',
    write: (token) => escaped(plain(token), /[<>&\u2028\u2029]/g),
  },
  {
    name: 'with capital \\u escapes for all but ASCII and for HTML, as in .NET',
    write: (token) =>
      `"${escaped(plain(token).slice(1, -1).replaceAll('\\"', '\\u0022'), /[<>&'+`\u007f-\uffff]/g, true)}"`,
  },
]

const STRINGIFIED = [
  ['as JSON.stringify writes it', 0],
  ['as JSON.stringify writes it with 2 spaces', 2],
] as const

type Written = BodyVariant & { readonly name: string; readonly bytes: Uint8Array }

export const JSON_FORMS: readonly BodyForm[] = [
  {
    code: 'body_reserialized',
    what: 'fits the body written as JSON {form}',
    fix: 'Give the receiver the bytes as they came: something between here and the sender parsed the JSON and wrote it again.',
    pairs: 1,
    *variants({ text, json }) {
      if (json) yield* spaced(json, [AS_IT_IS])
      for (const [name, space] of STRINGIFIED) yield { name, bytes: stringified(text, space) }
    },
  },
  {
    code: 'body_escapes',
    what: 'fits the body with its strings written {form}',
    fix: 'Give the receiver the bytes as they came: something between here and the sender wrote the strings of the JSON in another way.',
    *variants({ text, json }) {
      if (!json || text === undefined) return
      for (const { name, write } of ESCAPES) {
        yield form(name, text.replace(/"(?:[^"\\]|\\.)*"/g, write))
      }
    },
  },
  {
    code: 'body_reserialized',
    what: 'fits the body written as JSON {form}',
    fix: 'Give the receiver the bytes as they came: something between here and the sender parsed the JSON and wrote it again.',
    *variants({ json }) {
      if (!json) return
      for (const { name, bytes } of spaced(json, ESCAPES)) {
        yield { name, bytes }
        // Go's Encoder and many templates end with a line break.
        yield {
          name: `${name}, with a line break at the end`,
          bytes: joined(bytes, Uint8Array.of(10)),
        }
      }
    },
  },
  {
    code: 'body_keys_sorted',
    what: 'fits the body with its keys sorted, written as JSON {form}',
    fix: 'Give the receiver the bytes as they came, and let the sender sign the bytes that it sends.',
    *variants({ json }) {
      if (json) yield* spaced(sortedJsonText(json), [AS_IT_IS, ...ESCAPES])
    },
  },
]

/** The JSON of a body, where it is one that is written again. */
export function readJson(text: string | undefined): JsonText | undefined {
  return text === undefined || text.length > MAX_JSON ? undefined : readJsonText(text)
}

/** Fast at any length, but without what JSON.parse loses: the digits of numbers, keys that come twice. */
function stringified(text: string | undefined, space: number): Uint8Array | undefined {
  try {
    return utf8(JSON.stringify(JSON.parse(text ?? ''), null, space))
  } catch {
    return undefined
  }
}

function* spaced(json: JsonText, escapes: typeof ESCAPES): Iterable<Written> {
  for (const style of escapes) {
    for (const spacing of SPACINGS) {
      const name = style.name === '' ? spacing.name : `${spacing.name} and ${style.name}`
      yield form(name, writeJsonText(json, spacing, style.write))
    }
  }
}

function form(name: string, text: string): Written {
  return { name, bytes: utf8(text) }
}

function plain(token: string): string {
  return JSON.stringify(JSON.parse(token))
}

function escaped(text: string, characters: RegExp, capital = false): string {
  return text.replace(characters, (character) => {
    const digits = character.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${capital ? digits.toUpperCase() : digits}`
  })
}
