import { InvalidArgumentError } from '@commander-js/extra-typings'

/** How fast captures follow each other: as they arrived, at once, or so many a second. */
export type Pace = 'original' | 'none' | number

/** Reads `--pace`. */
export function readPace(text: string): Pace {
  if (text === 'original' || text === 'none') return text
  const rate = Number(text)
  if (text.trim() !== '' && rate > 0 && rate <= 1000) return rate
  throw new InvalidArgumentError(
    'It should be "original", "none" or a number of requests a second.',
  )
}

/** When a capture is due, in milliseconds after the first. */
export function due(pace: Pace, index: number, sinceFirst: number): number {
  if (pace === 'none') return 0
  return pace === 'original' ? Math.max(0, sinceFirst) : (index * 1000) / pace
}
