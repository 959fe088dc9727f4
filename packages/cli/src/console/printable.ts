import type { Output } from './context.ts'

/** A joiner or a selector within an emoji, which would fall apart without it. */
const WITHIN_EMOJI =
  /(?<=\p{Emoji_Modifier}|\p{Extended_Pictographic}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})\ufe0f/u

/**
 * What a terminal interprets or does not show: controls (C0, DEL and C1), marks of direction, line and paragraph
 * separators, lone surrogates, and characters without a shape (zero-width ones, fillers, tags, variation
 * selectors).
 */
const UNPRINTABLE = new RegExp(
  `(?!${WITHIN_EMOJI.source})[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\ufff0-\\ufffb]`,
  'gu',
)

/** Text from outside, as one line that a terminal shows and does not obey. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped)
}

/** Text of ours with line breaks, in which something from outside may stand. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** One value as one line of JSON, which a terminal can be shown too. */
export function writeJson(output: Output, value: unknown): void {
  output.write(`${printable(JSON.stringify(value))}\n`)
}

/** At most `width` characters of a text. */
export function cut(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`
}

/** How many characters the name of an event has room for. */
const EVENT = 30

/** The name of an event, as a column. */
export function eventColumn(name: string): string {
  return cut(printable(name), EVENT).padEnd(EVENT)
}

/** The beginning of an id that tells it from others: 8 characters behind what all of them begin with, such as `evt_`. */
export function shortId(id: string): string {
  return printable(/^(?:[A-Za-z]{1,8}_)?.{0,8}/s.exec(id)?.[0] ?? '')
}

/** As JSON writes it: two escapes for a character beyond U+FFFF. */
function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
    .join('')
}
