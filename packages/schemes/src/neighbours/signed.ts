import { isHeader, isText } from '../engine/coverage.ts'
import { namesOf } from '../engine/place.ts'
import type { Part, SchemeValue } from '../value.ts'
import { type Mistake, type Neighbour, partsOf, withSignedTime } from './mistake.ts'

const SIGN = 'Make the sender sign {signed}.'

const SEPARATORS = ['', '\n', ':', ',', '|', ' ', '-', '_', ';', '.', '..', '\r\n', '. ']

/** The most parts whose orders are all tried: 24. */
const MOST_ORDERED = 4

/** What is signed, in another way. */
export const SIGNED_MISTAKES: readonly Mistake[] = [
  {
    code: 'message_body_alone',
    what: 'matches the body alone',
    fix: SIGN,
    pairs: true,
    *neighbours(value) {
      if (value.signed.length > 1) yield { value: signing(value, value.signed.filter(isBody)) }
    },
  },
  {
    code: 'message_without_timestamp',
    what: 'matches without the timestamp',
    fix: SIGN,
    *neighbours(value) {
      yield* withoutEach(value, (part) => part === 'timestamp')
      if (!value.signed.includes('timestamp')) return
      // What a template writes for a variable that is not set.
      for (const text of ['', 'undefined', 'null', 'None', 'NaN']) {
        yield { value: withSignedTime(value, text) }
      }
    },
  },
  {
    code: 'message_without_header',
    what: 'matches without the header {form}',
    fix: SIGN,
    neighbours: (value) => withoutEach(value, isHeader),
  },
  {
    code: 'message_without_url',
    what: 'matches without the URL',
    fix: SIGN,
    neighbours: (value) => withoutEach(value, (part) => part === 'url'),
  },
  {
    code: 'message_with_id',
    what: 'matches with the id in front of the body',
    fix: `${SIGN.slice(0, -1)}, and leave the id out.`,
    pairs: true,
    *neighbours(value, { ids }) {
      const body = value.signed.filter(isBody)
      const times: readonly Part[] = value.signed.includes('timestamp') ? ['timestamp'] : []
      for (const text of ids) {
        for (const separator of ['.', ':', '']) {
          const between = separator === '' ? [] : [{ text: separator }]
          const orders =
            times.length > 0
              ? [
                  [{ text }, ...times],
                  [...times, { text }],
                ]
              : []
          for (const order of [...orders, [{ text }]]) {
            const parts = order.flatMap((part) => [part, ...between])
            yield { value: signing(value, [...parts, ...body]) }
          }
        }
      }
    },
  },
  {
    code: 'message_separator',
    what: 'matches with {form} in place of a separator',
    fix: SIGN,
    *neighbours(value) {
      for (const [at, part] of value.signed.entries()) {
        if (!isText(part)) continue
        for (const text of [...SEPARATORS, ...spellingsOf(part.text)]) {
          if (text === part.text) continue
          const signed = value.signed.toSpliced(at, 1, ...partOf(text))
          yield { form: shown(text), value: signing(value, signed) }
        }
      }
      const separators = value.signed.filter(isSeparator)
      if (separators.length < 2) return
      for (const text of SEPARATORS) {
        if (separators.every((part) => isText(part) && part.text === text)) continue
        const signed = value.signed.flatMap((part) => (isSeparator(part) ? partOf(text) : [part]))
        yield { form: shown(text), value: signing(value, signed) }
      }
    },
  },
  {
    code: 'message_order',
    what: 'matches with its parts in another order',
    fix: SIGN,
    *neighbours(value) {
      const moved = value.signed.filter((part) => !isText(part))
      for (const order of otherOrdersOf(moved)) {
        const parts = order.values()
        const signed = value.signed.map((part) =>
          isText(part) ? part : (parts.next().value ?? part),
        )
        yield { value: signing(value, signed) }
      }
      // With its own texts in other places, too.
      if (moved.length === value.signed.length) return
      for (const signed of otherOrdersOf(value.signed)) yield { value: signing(value, signed) }
    },
  },
  {
    code: 'message_form_as_sent',
    what: 'matches the form as it was sent',
    fix: SIGN,
    *neighbours(value) {
      if (!value.signed.includes('form')) return
      const signed = value.signed.map((part) => (part === 'form' ? 'body' : part))
      yield { value: signing(value, signed) }
      yield { value: signing(value, ['body']) }
    },
  },
]

/** A text of a version or a method as others write it. */
function spellingsOf(text: string): readonly string[] {
  if (!/[a-z]/i.test(text)) return []
  const versions = /\d/.test(text)
    ? [0, 1, 2].map((version) => text.replace(/\d/, `${version}`))
    : []
  return [...versions, text.toLowerCase(), text.toUpperCase()]
}

function partOf(text: string): readonly Part[] {
  return text === '' ? [] : [{ text }]
}

function shown(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text)
}

function isSeparator(part: Part): boolean {
  return isText(part) && !/\w/.test(part.text)
}

function* otherOrdersOf(parts: readonly Part[]): Iterable<readonly Part[]> {
  if (parts.length < 2 || parts.length > MOST_ORDERED) return
  for (const order of ordersOf(parts)) {
    // Two texts may be the same.
    if (JSON.stringify(order) !== JSON.stringify(parts)) yield order
  }
}

function signing(value: SchemeValue, parts: readonly Part[]): SchemeValue {
  return { ...value, signed: partsOf(parts), bodyDigest: undefined }
}

function isBody(part: Part): boolean {
  return part === 'body' || part === 'form'
}

/** Without each part of a kind, and without the text behind it, or in front of the last one. */
function* withoutEach(value: SchemeValue, isKind: (part: Part) => boolean): Iterable<Neighbour> {
  const { signed } = value
  for (const [at, part] of signed.entries()) {
    if (!isKind(part)) continue
    const next = signed[at + 1]
    const before = signed[at - 1]
    const behind = next !== undefined && isText(next)
    const isLast = next === undefined && before !== undefined && isText(before)
    const start = isLast ? at - 1 : at
    const rest = signed.toSpliced(start, behind || start < at ? 2 : 1)
    // What is left is the body alone, which is a mistake with a name of its own.
    if (rest.every(isBody)) continue
    yield {
      form: isHeader(part) ? namesOf(part).join(' or ') : undefined,
      value: signing(value, rest),
    }
  }
}

function* ordersOf<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  if (items.length < 2) yield items
  else {
    for (const [at, item] of items.entries()) {
      for (const rest of ordersOf(items.toSpliced(at, 1))) yield [item, ...rest]
    }
  }
}
