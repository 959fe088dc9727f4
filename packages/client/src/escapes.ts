/** A text with escapes undone. */
export interface Escaped {
  readonly text: string
  /** Where in the original text a character of this one begins; for its length, where that ends. */
  origin(index: number): number
}

/** How often escapes are undone: JSON within JSON within a URL takes three times. */
const MAX_LAYERS = 4

const ESCAPE = /%([\da-f]{2})|\\u([\da-f]{4})|\\(["\\/bfnrt])/gi
const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/**
 * The text, and what it is when percent-encoding and the escapes of JSON are undone, again and again as
 * long as there are any. Percent-encoded bytes become characters of the same number.
 */
export function escapeLayers(text: string): readonly Escaped[] {
  const layers: Escaped[] = [{ text, origin: (index) => index }]
  for (let layer = layers[0]; layer && layers.length <= MAX_LAYERS; ) {
    layer = unescaped(layer)
    if (layer) layers.push(layer)
  }
  return layers
}

function unescaped({ text, origin }: Escaped): Escaped | undefined {
  let result = ''
  let done = 0
  // Where each escape became a character, and how much shorter the text was after it.
  const places: number[] = []
  const savings: number[] = []
  for (const { 0: whole, 1: percent, 2: unicode, 3: short = '', index } of text.matchAll(ESCAPE)) {
    const code = percent ?? unicode
    result += text.slice(done, index)
    places.push(result.length)
    result +=
      code === undefined ? (SHORT[short] ?? short) : String.fromCharCode(Number.parseInt(code, 16))
    done = index + whole.length
    savings.push(done - result.length)
  }
  if (done === 0) return undefined
  return {
    text: result + text.slice(done),
    origin: (index) => origin(index + (savings[countBelow(places, index) - 1] ?? 0)),
  }
}

/** How many of the sorted numbers are below a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? limit) < limit) low = middle + 1
    else high = middle
  }
  return low
}
