import type { Redriven } from '@webhook-receiver/quarantine'
import type { Paint } from '../colour.ts'
import type { CommandContext, Output } from '../command-context.ts'
import { messageOf } from '../failure.ts'
import { printable, writeJson } from '../printable.ts'

/** What became of all files so far. */
export interface Summary {
  count(redriven: Redriven): void
  /** The forged ones are gone. */
  dropForged(): void
  text(): string
  readonly done: number
  /** Files with a valid signature. */
  readonly genuine: number
  /** The names of files without a valid signature. */
  readonly forged: readonly string[]
  /** Files that are still there and need somebody to look at them, apart from forged ones. */
  readonly left: number
}

export function createSummary(total: number): Summary {
  const counts: Record<Redriven['outcome'] | 'dropped', number> = {
    delivered: 0,
    duplicate: 0,
    genuine: 0,
    failed: 0,
    rejected: 0,
    unreadable: 0,
    dropped: 0,
  }
  const forged: string[] = []
  let done = 0
  let authentic = 0

  return {
    count(redriven) {
      done += 1
      counts[redriven.outcome] += 1
      if (redriven.outcome === 'unreadable') return
      if (redriven.outcome !== 'rejected' || !redriven.reason.startsWith('signature_')) {
        authentic += 1
      } else forged.push(redriven.name)
    },
    dropForged() {
      counts.dropped = forged.length
      counts.rejected -= forged.length
    },
    text() {
      if (total === 0) return 'There are no requests in the folder.'
      const named = Object.entries(counts).filter(([, count]) => count > 0)
      return `${done} of ${total} requests: ${named.map(([outcome, count]) => `${count} ${outcome}`).join(', ') || 'none'}.`
    },
    get done() {
      return done
    },
    get genuine() {
      return authentic
    },
    forged,
    get left() {
      const forgedLeft = counts.dropped > 0 ? 0 : forged.length
      return counts.failed + counts.unreadable + counts.rejected - forgedLeft
    },
  }
}

/** One line; JSON where there is no paint. */
export function writeRedriven(
  redriven: Redriven,
  { stdout }: Pick<CommandContext, 'stdout'>,
  paint: Paint | undefined,
): void {
  const { name, outcome } = redriven
  const id = 'id' in redriven ? redriven.id : undefined
  const reason = 'reason' in redriven ? redriven.reason : undefined
  const error = 'error' in redriven && redriven.error ? messageOf(redriven.error) : undefined
  if (!paint) {
    const arrival = 'request' in redriven ? redriven.request.receivedAt : undefined
    const received_at = arrival === undefined ? undefined : new Date(arrival).toISOString()
    writeJson(stdout, { file: name, outcome, received_at, id, reason, error })
    return
  }
  const good = ['delivered', 'duplicate', 'genuine'].includes(outcome)
  const why = reason ?? error ?? id ?? ''
  stdout.write(`${paint(good ? 'green' : 'red', outcome)}  ${printable(why)}  ${printable(name)}\n`)
}

export function writeSummary(summary: Summary, stderr: Output): void {
  stderr.write(`${summary.text()}\n`)
}
