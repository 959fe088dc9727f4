/** More than that is not indented further: each line of a hostile body would be longer than the one before. */
const DEPTH = 40

/** Nobody reads more, and a pattern over a much longer string throws. */
const MOST = 1_048_576

/** JSON of up to 1 MiB with a property in each line, its numbers and strings as they were sent; `undefined` for anything else. */
export function prettyJson(text: string): string | undefined {
  if (text.length > MOST) return undefined
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  let depth = 0
  const line = (change: number) => {
    depth += change
    return `\n${'  '.repeat(Math.min(depth, DEPTH))}`
  }
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+|[{[]\s*[}\]]|[{}[\],:]/g, (token) => {
    if (token.trim() === '') return ''
    if (/^[{[]$/.test(token)) return token + line(1)
    if (/^[}\]]$/.test(token)) return line(-1) + token
    return token === ',' ? token + line(0) : token === ':' ? ': ' : token
  })
}
