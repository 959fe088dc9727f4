import { InvalidArgumentError } from '@commander-js/extra-typings'

/** Reads `--retries`. */
export function readRetries(text: string): number[] {
  if (text === 'none') return []
  const pauses = text.split(',').map((pause) => (pause.trim() === '' ? Number.NaN : Number(pause)))
  if (pauses.every((pause) => pause >= 0 && pause <= 86_400)) return pauses
  throw new InvalidArgumentError('It should be seconds such as 1,5,30, or "none".')
}
