import { storeTooSlow, withTimeout } from '@webhook-receiver/core/internal'
import { type Ask, inAscii, lacksCharacter } from './database.ts'
import type { Statements } from './statements.ts'

/** A delivery as the statement `add` takes it. What is not there is ''. */
export interface Added {
  readonly key: string
  /** What its order is by. */
  readonly lane: string
  readonly service: string
  readonly event: string
  readonly id: string
  readonly trace: string
  readonly delivery: string
}

/** How long a service waits for PostgreSQL, in seconds. */
export const STORE_TIMEOUT = 2

/** The most that one statement stores: deliveries, and characters unless it is one delivery. */
const MOST = 100
const LONGEST = 1_048_576

interface Waiting {
  readonly row: string
  /** When it came, by `performance.now`. */
  readonly since: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns a function that stores a delivery. Those that come while a statement is under way are stored together by the next one, in
 * their order: many at once cost little more than one, and need one connection. If PostgreSQL rejects several, each is sent alone; where it
 * lacks a character, with escapes.
 */
export function createAdd(ask: Ask, { add }: Statements): (added: Added) => Promise<void> {
  const waiting: Waiting[] = []
  let busy = false

  const store = async (rows: readonly string[]) => {
    await ask(add, `[${rows.join(',')}]`)
  }

  function storeTogether(group: readonly Waiting[]): Promise<void> {
    let late = false
    const storing = store(group.map(({ row }) => row)).then(
      () => {
        for (const { resolve } of group) resolve()
      },
      (error) => {
        const escapes = lacksCharacter(error)
        for (const { row, resolve, reject } of group) {
          if (late || (group.length === 1 && !escapes)) reject(error)
          // PostgreSQL reads one of the two backslashes.
          else store([escapes ? inAscii(row, '\\\\') : row]).then(resolve, reject)
        }
      },
    )
    // Whatever holds it up, the next group is sent on another connection.
    const giveUp = () => {
      late = true
    }
    return withTimeout(STORE_TIMEOUT, storing, giveUp).catch(() => {})
  }

  async function storeAll(): Promise<void> {
    busy = true
    while (waiting.length > 0) {
      const group = nextGroup(waiting)
      if (group.length > 0) await storeTogether(group)
    }
    busy = false
  }

  return (added) =>
    new Promise((resolve, reject) => {
      waiting.push({ row: JSON.stringify(added), since: performance.now(), resolve, reject })
      if (!busy) storeAll()
    })
}

/** Takes from the front what one statement stores. For what came too long ago nobody waits any more: its sender retries. */
function nextGroup(waiting: Waiting[]): readonly Waiting[] {
  const oldest = performance.now() - STORE_TIMEOUT * 1000
  const first = waiting.findIndex(({ since }) => since > oldest)
  for (const { reject } of waiting.splice(0, first < 0 ? waiting.length : first)) {
    reject(storeTooSlow('begin', STORE_TIMEOUT))
  }
  let length = 0
  const end = waiting.findIndex(({ row }, at) => {
    length += row.length
    return at === MOST || (at > 0 && length > LONGEST)
  })
  return waiting.splice(0, end < 0 ? waiting.length : end)
}
