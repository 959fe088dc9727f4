import type { Claim } from '@webhook-receiver/core'
import { createSweeper, type Resolved } from '@webhook-receiver/core/store'
import { createConnection } from './connection.ts'
import type { SqliteValue } from './database.ts'
import type { SqliteStoreOptions } from './options.ts'

/** The rows of the table. Each call is one step in a transaction; times are in seconds. */
export interface Deliveries {
  /**
   * Writes a row, unless another is there that is not expired. `work` is run in the same transaction; where it
   * rejects, neither is kept.
   */
  claim(
    key: string,
    token: string,
    done: 0 | 1,
    seconds: number,
    work?: () => Promise<void>,
  ): Promise<Claim>
  /** Each resolves to whether the lease was not lost. */
  complete(key: string, token: string): Promise<boolean>
  release(key: string, token: string): Promise<boolean>
  extend(key: string, token: string, seconds: number): Promise<boolean>
  /** Resolves to whether there was a done mark. */
  forget(key: string): Promise<boolean>
}

/** The clock is read for each statement, since a wait for the lock may come before it. All processes have the same. */
export function createDeliveries({
  database,
  table,
  retention,
  busyTimeout,
}: Resolved<SqliteStoreOptions>): Deliveries {
  const { read, change, step, transaction } = createConnection(database, busyTimeout)
  const now = () => Date.now()
  const after = (seconds: number) => now() + seconds * 1000
  // Made once: the text is also what a prepared statement is found by.
  const expired = `SELECT key FROM "${table}" WHERE expires_at <= ? ORDER BY expires_at LIMIT ?`
  const remove = `DELETE FROM "${table}" WHERE key IN (${expired})`
  const find = `SELECT token, done, expires_at FROM "${table}" WHERE key = ? AND expires_at > ?`
  const insert = `INSERT INTO "${table}" AS kept VALUES (?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET token = excluded.token, done = excluded.done, expires_at = excluded.expires_at
WHERE kept.expires_at <= ? OR (kept.token = excluded.token AND NOT kept.done)`
  const complete = own(`UPDATE "${table}" SET done = 1, expires_at = ?`, 'token = ?')
  const release = own(`DELETE FROM "${table}"`, 'token = ? AND NOT done')
  const extend = own(`UPDATE "${table}" SET expires_at = ?`, 'token = ? AND NOT done')
  const unmark = own(`DELETE FROM "${table}"`, 'token = ?')
  const forget = own(`DELETE FROM "${table}"`, 'done')
  const sweep = createSweeper((most) => change(remove, now(), most))

  /** The claim that stands in the way of another. */
  function findClaim(key: string, token: string, time = now()): Claim | undefined {
    const [found] = read(find, key, time)
    if (found === undefined) return undefined
    const row = Object(found)
    if (typeof row.expires_at !== 'number') {
      throw new Error('A row has no `expires_at`. Do not set `returnArrays`.')
    }
    // A BigInt where the connection is set to that.
    if (row.done) return { status: 'done' }
    // A claim that is repeated has the result of the first time.
    if (row.token === token) return undefined
    return { status: 'in_progress', retryAfter: Math.max((row.expires_at - now()) / 1000, 0.001) }
  }

  /** Claims a key that is free with one statement, since nearly every key is. */
  function write(key: string, token: string, done: 0 | 1, seconds: number): Claim {
    // In the transaction of the claim: where the rows cannot be deleted, nothing is claimed.
    sweep()
    const time = now()
    const isClaimed = change(insert, key, token, done, time + seconds * 1000, time)
    return (isClaimed ? undefined : findClaim(key, token, time)) ?? { status: 'claimed' }
  }

  /** Resolves to whether it found the row. */
  function changeOwn(text: string, values: () => SqliteValue[]): Promise<boolean> {
    return step<boolean>(
      () => undefined,
      () => change(text, ...values(), now()),
    )
  }

  return {
    claim(key, token, done, seconds, work) {
      const look = () => findClaim(key, token)
      const claim = () => write(key, token, done, seconds)
      return work
        ? transaction(
            look,
            claim,
            ({ status }) => status === 'claimed',
            work,
            () => change(unmark, key, token, now()),
          )
        : step(look, claim)
    },
    complete: (key, token) => changeOwn(complete, () => [after(retention), key, token]),
    release: (key, token) => changeOwn(release, () => [key, token]),
    extend: (key, token, seconds) => changeOwn(extend, () => [after(seconds), key, token]),
    forget: (key) => changeOwn(forget, () => [key]),
  }
}

/** A statement that changes the row of a key, if it is not expired. */
function own(action: string, condition: string): string {
  return `${action} WHERE key = ? AND ${condition} AND expires_at > ?`
}
