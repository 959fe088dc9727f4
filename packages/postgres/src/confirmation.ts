import { withTimeout } from '@webhook-receiver/core/store'

/** The row of a mark, as its own transaction saw it. */
export interface Mark {
  readonly key: string
  /** Names the transaction. */
  readonly token: string
}

/** How long one look holds up the next, in seconds. */
const LOOK_TIMEOUT = 0.25

interface Waiting {
  readonly mark: Mark
  readonly resolve: (committed: boolean) => void
  readonly reject: (error: unknown) => void
}

/**
 * Looks whether marks are committed. Marks that come while a look is under way share the next one, so
 * that under load one statement is for many deliveries.
 */
export function createConfirmation(
  look: (marks: readonly Mark[]) => Promise<readonly unknown[]>,
): (mark: Mark) => Promise<boolean> {
  let waiting: Waiting[] = []
  let looking = false

  async function confirmWaiting(): Promise<void> {
    looking = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      // A look whose connection hangs must not hold up the deliveries that come after it.
      await withTimeout(LOOK_TIMEOUT, confirm(batch), () => undefined).catch(() => {})
    }
    looking = false
  }

  async function confirm(batch: readonly Waiting[]): Promise<void> {
    try {
      const rows = await look(batch.map(({ mark }) => mark))
      const committed = new Set(rows.map((row) => nameOf(markOf(row))))
      for (const { mark, resolve } of batch) resolve(committed.has(nameOf(mark)))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (mark) =>
    new Promise((resolve, reject) => {
      waiting.push({ mark, resolve, reject })
      if (!looking) void confirmWaiting()
    })
}

/** Reads a row of a mark; `undefined` where it is none. */
export function markOf(row: unknown): Mark | undefined {
  if (typeof row !== 'object' || row === null || !('key' in row && 'token' in row)) return undefined
  const { key, token } = row
  return typeof key === 'string' && typeof token === 'string' ? { key, token } : undefined
}

function nameOf(mark: Mark | undefined): string | undefined {
  return mark && `${mark.token} ${mark.key}`
}
