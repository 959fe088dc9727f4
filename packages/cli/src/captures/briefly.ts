import { wrap } from '../console/index.ts'

/** What to show of lines that may have been shown before, and where that was, such as `above`. */
export type Briefly = (lines: readonly string[], place: string) => readonly string[]

/** How many causes are remembered. */
const REMEMBERED = 100

/** Shows a cause with its fix once, and then its first sentence. */
export function createBriefly(): Briefly {
  const told = new Map<string, string>()
  return (lines, place) => {
    const text = lines.join('\n')
    // How many others a secret verified is another number each time.
    const cause = text.replace(/\d+ others?/, '')
    const before = told.get(cause)
    if (before !== undefined) {
      const [sentence] = text
        .trim()
        .replaceAll(/\n +/g, ' ')
        .split(/(?<=\.) /)
      return wrap(`As ${before}: ${sentence}`, 2)
    }
    if (told.size === REMEMBERED) told.clear()
    if (lines.length > 1) told.set(cause, place)
    return lines
  }
}
