/** First and last code points of what no terminal should be given from outside. */
export const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff0, 0xfffb],
  [0xe0000, 0xe01ef],
]

/** One of each kind, in the shape in which it does something. */
export const STEERING =
  'a\u001b[2J\u001b]0;title\u0007\b\r\u007f\u0085\u009b2J\u00ad\u061c\u200b\u200d\u200e\u202eb\u2066\u2028\u2029\ufeff\u{e0041}z'

/** What of a text would steer a terminal. Line feeds are in every output. */
export function steering(text: string): readonly string[] {
  return [...text].filter((character) => {
    const code = character.codePointAt(0) ?? 0
    return character !== '\n' && RANGES.some(([first, last]) => first <= code && code <= last)
  })
}
