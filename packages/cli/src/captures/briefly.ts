import { wrap } from '../console/index.ts'

/** What to show of lines that may have been shown before. */
export type Briefly = (lines: readonly string[], time: string) => readonly string[]

/** How many causes are remembered. */
const REMEMBERED = 100

/** Shows a cause with its fix once, and then its first sentence. */
export function createBriefly(): Briefly {
  const told = new Map<string, string>()
  return (lines, time) => {
    const text = lines.join('\n')
    const before = told.get(text)
    if (before !== undefined) {
      const [sentence] = text
        .trim()
        .replaceAll(/\n +/g, ' ')
        .split(/(?<=\.) /)
      return wrap(`As at ${before}: ${sentence}`, 2)
    }
    if (told.size === REMEMBERED) told.clear()
    if (lines.length > 1) told.set(text, time)
    return lines
  }
}
