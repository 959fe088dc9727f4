import type { Claim } from '@webhook-receiver/core'
import { createSweeper, type Resolved } from '@webhook-receiver/core/store'
import { createConnection } from './connection.ts'
import type { SqliteValue } from './database.ts'
import type { SqliteStoreOptions } from './options.ts'

/** The rows of the table. Each call is a transaction of its own; times are in seconds. */
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
  const sweep = createSweeper((most) => {
    const expired = `SELECT key FROM "${table}" WHERE expires_at <= ? ORDER BY expires_at LIMIT ?`
    change(`DELETE FROM "${table}" WHERE key IN (${expired})`, now(), most)
  })

  function find(key: string): Row | undefined {
    const text = `SELECT token, done, expires_at FROM "${table}" WHERE key = ? AND expires_at > ?`
    const [row] = read(text, key, now())
    if (row === undefined || typeof Object(row).expires_at === 'number') return row as Row
    throw new Error('A row has no `expires_at`. Do not set `returnArrays`.')
  }

  /** The claim that stands in the way of another. */
  function findClaim(key: string, token: string): Claim | undefined {
    const row = find(key)
    if (row?.done) return { status: 'done' }
    // A claim that is repeated has the result of the first time.
    if (row === undefined || row.token === token) return undefined
    return { status: 'in_progress', retryAfter: Math.max((row.expires_at - now()) / 1000, 0.001) }
  }

  function write(key: string, token: string, done: 0 | 1, seconds: number): Claim {
    // In the transaction of the claim: where the rows cannot be deleted, nothing is claimed.
    sweep()
    change(`REPLACE INTO "${table}" VALUES (?, ?, ?, ?)`, key, token, done, after(seconds))
    return { status: 'claimed' }
  }

  /** Resolves to whether it found the row. */
  async function changeOwn(
    action: string,
    values: () => SqliteValue[],
    condition = 'token = ? AND NOT done',
  ): Promise<boolean> {
    const text = `${action} WHERE key = ? AND ${condition} AND expires_at > ?`
    return step<boolean>(
      () => undefined,
      () => change(text, ...values(), now()),
    )
  }

  return {
    claim(key, token, done, seconds, work) {
      const look = () => findClaim(key, token)
      const claim = () => write(key, token, done, seconds)
      return work ? transaction(look, claim, work) : step(look, () => look() ?? claim())
    },
    complete: (key, token) =>
      changeOwn(
        `UPDATE "${table}" SET done = 1, expires_at = ?`,
        () => [after(retention), key, token],
        'token = ?',
      ),
    release: (key, token) => changeOwn(`DELETE FROM "${table}"`, () => [key, token]),
    extend: (key, token, seconds) =>
      changeOwn(`UPDATE "${table}" SET expires_at = ?`, () => [after(seconds), key, token]),
    forget: (key) => changeOwn(`DELETE FROM "${table}"`, () => [key], 'done'),
  }
}

interface Row {
  readonly token: unknown
  /** A number, or a BigInt where the connection is set to that. */
  readonly done: unknown
  readonly expires_at: number
}
