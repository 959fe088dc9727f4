import type { Output } from './surroundings.ts'

/** Controls, and the marks that turn the direction of a line: what arrives must not steer the terminal. */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Text from outside, as one line that a terminal shows and does not obey. */
export function printable(text: string): string {
  return text.replace(STEERING, escaped)
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

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
