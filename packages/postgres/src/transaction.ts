import { isAbandoned, isError } from '@webhook-receiver/core/store'
import type { PoolClient, PostgresPool } from './pool.ts'
import type { QueryValue } from './query.ts'
import { DISCONNECT, type Statement } from './statements.ts'

/** Begins a transaction, runs the work with its client, and commits. */
export type Transact<Client> = (work: (client: Client) => Promise<void>) => PromiseLike<unknown>

/** What was sent in a transaction and not waited for. */
type UnderWay = PromiseLike<unknown>[]

/** Sends a statement, and gives its rows. */
type Send<Rows> = (statement: Statement, ...values: QueryValue[]) => Promise<Rows>

export interface Sending<Rows> {
  readonly ask: Send<Rows>
  readonly tell: (...sent: Parameters<Send<Rows>>) => Promise<{ readonly rows: Promise<Rows> }>
}

/**
 * Two functions that send statements in a transaction. `ask` gives the rows. What `tell` sends may still be under way when the next is
 * sent, and fails the transaction if it fails.
 */
export function sending<Rows>(send: Send<Rows>, underWay: UnderWay | undefined): Sending<Rows> {
  return {
    async ask(...sent) {
      const before = underWay?.splice(0) ?? []
      const [rows] = await Promise.all([send(...sent), ...before])
      return rows
    },
    async tell(...sent) {
      const rows = send(...sent)
      if (underWay) underWay.push(rows)
      else await rows
      return { rows }
    },
  }
}

export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED'
export const COMMIT = 'COMMIT'

/** A connection of a pool on which a transaction has begun. */
export interface Session extends Pick<Borrowed, 'back' | 'rollback'> {
  readonly client: unknown
  /** What was sent and is waited for before COMMIT. Without it, each statement is waited for before the next is sent. */
  readonly underWay: UnderWay | undefined
  /** Commits, and gives the connection back. */
  commit(): Promise<void>
  /** Commits, and begins the next transaction on the same connection with what `first` sends. Resolves to what that does. */
  commitAndBegin<Value>(first: () => Promise<Value>): Promise<Value>
}

/**
 * Begins a transaction on a connection of a pool. With clients that pipeline, BEGIN travels with the first statement, and COMMIT with the
 * last: where that fails, PostgreSQL takes COMMIT for ROLLBACK.
 */
export async function openSession(pool: PostgresPool<unknown>): Promise<Session> {
  const { client, release, back, rollback } = await borrow(pool)
  const underWay: UnderWay | undefined = client.pipeline === true ? [] : undefined
  const beginning = client.query({ text: BEGIN })
  try {
    if (underWay) underWay.push(beginning)
    else await beginning
  } catch (error) {
    throw await rollback(error)
  }
  return {
    ...{ client, underWay, back, rollback },
    async commit() {
      await Promise.all([client.query({ text: COMMIT }), ...(underWay ?? [])])
      release()
    },
    async commitAndBegin(first) {
      const before = underWay?.splice(0) ?? []
      const committing = client.query({ text: `${COMMIT} AND CHAIN` })
      if (!underWay) await committing
      const [value] = await Promise.all([first(), committing, ...before])
      return value
    },
  }
}

/**
 * Resolves to what `transact` does with a client of a pool. Where it rejects, the transaction is rolled back, and what is said of a
 * connection that is lost becomes the cause of the error.
 */
export async function withClient<Result>(
  pool: PostgresPool<unknown>,
  transact: (
    client: PoolClient,
    back: Borrowed['back'],
    /** Says that no other should get the connection, and why. */
    spoil: (error: unknown) => void,
  ) => PromiseLike<Result>,
): Promise<Result> {
  const { client, release, back, rollback } = await borrow(pool)
  let spoiled: unknown
  try {
    const result = await transact(client, back, (error) => {
      spoiled = error
    })
    release()
    return result
  } catch (error) {
    throw await rollback(error, spoiled)
  }
}

interface Borrowed {
  readonly client: PoolClient
  release(broken?: unknown): void
  /** Sends ROLLBACK, once. Rejects if that fails. The cause of the error becomes what was said of a connection that is lost. */
  back(error: unknown): Promise<void>
  /** Rolls back, and gives the connection back; closes it where a handler may still use it, or because of `spoiled`. Resolves to the error, whose cause is then what was said of a connection that is lost. */
  rollback(error?: unknown, spoiled?: unknown): Promise<unknown>
}

async function borrow(pool: PostgresPool<unknown>): Promise<Borrowed> {
  const client = (await pool.connect()) as PoolClient
  let lost: unknown
  const onLost = (error: unknown) => {
    lost ??= error
  }
  client.on?.('error', onLost)
  const giveBack = client.release
  // A handler that released it would end in the transaction of another.
  client.release = () => {}
  const release = (broken?: unknown) => {
    client.release = giveBack
    client.release(broken)
    // The pool listens to what it has back.
    client.off?.('error', onLost)
  }
  let sent: PromiseLike<unknown> | undefined
  const back = async (error: unknown) => {
    sent ??= client.query({ text: 'ROLLBACK' })
    try {
      await sent
    } finally {
      const isCause = lost !== undefined && lost !== error && isError(error)
      if (isCause && error.cause === undefined) error.cause = lost
    }
  }
  const rollback = async (error?: unknown, spoiled?: unknown) => {
    // Nothing that its handler sends later may run in the transaction of another.
    if (isAbandoned(error)) await client.query(DISCONNECT).then(() => release(error), release)
    else await back(error).then(() => release(spoiled), release)
    return error
  }
  return { client, release, back, rollback }
}
