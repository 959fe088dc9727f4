import { isRecord } from '@webhook-receiver/core/internal'
import {
  createAsk,
  hasCode,
  inClient,
  listenTo,
  openSession,
  type PostgresPool,
  type QueryResult,
  type QueryValue,
  queryPool,
  repeated,
  type Sending,
  type Session,
  type Statement,
  sending,
  type Transact,
} from '@webhook-receiver/postgres/internal'

type Query<Client> = (
  client: Client,
  text: string,
  values: QueryValue[],
  name?: string | undefined,
) => PromiseLike<QueryResult>

/** How the inbox reaches PostgreSQL: by a pool of pg, or by what an ORM has instead. */
export interface InboxConnection<Transaction> {
  /**
   * A `Pool` of pg, or one with the same methods. Each handler that runs uses one of its connections. Together with `transaction`, it is
   * the pool of the ORM: the inbox sends what belongs to no handler by it, and no lost connection of it ends the process.
   */
  readonly pool?: PostgresPool<Transaction> | undefined
  /**
   * Instead of `pool`: begins a transaction, runs `work` with its client and commits. If `work` rejects, it must roll back and
   * reject.
   */
  readonly transaction?: Transact<Transaction> | undefined
  /**
   * Sends a statement in that transaction, such as `(client, text, values) => client.query(text, values)`. If the client
   * prepares a statement under its `name`, PostgreSQL plans it once for each connection.
   */
  readonly query?: Query<Transaction> | undefined
}

export type Row = Readonly<Record<string, unknown>>

/** Sends a statement, and gives its rows. */
export type Ask = (statement: Statement, ...values: QueryValue[]) => Promise<readonly Row[]>

/**
 * What is done in a transaction, with its client and two functions that send statements in it. What is sent by `tell` may still be under
 * way when the next is sent, and fails the transaction if it fails.
 */
type Work = (
  client: unknown,
  sending: Sending<readonly Row[]>,
  /** Sends ROLLBACK because of an error, where no ORM does. Rejects if that fails. */
  back?: Session['back'],
) => Promise<Parameters<Ask> | undefined>

/** A transaction that has begun on the connection of one that was committed, and the row that its first statement returned. */
export interface Begun {
  readonly session: Session
  readonly row: Row
}

export interface Database {
  /** Sends a statement in its own transaction. */
  readonly ask: Ask
  /** Whether one transaction can begin where another ends. An ORM begins each by itself. */
  readonly chains: boolean
  /**
   * Runs `work` in a transaction: in `begun`, if there is one. If it resolves to a statement, the next transaction begins with that on the
   * same connection, in the round trip of COMMIT, and stays open if a row is returned.
   */
  transact(work: Work, begun?: Begun): Promise<Begun | undefined>
  /** Makes each transaction from now on READ COMMITTED, whatever the database or the ORM has set. */
  isolate(): void
}

const SETUP = 'Call inbox.setup() before the first delivery, or run what migrationOf() returns.'

/** Where an ORM begins the transaction. It has to come before anything else. */
const READ_COMMITTED: Statement = { text: 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED' }

/** How often a statement is sent that PostgreSQL could not put in order with others. */
const TRIES = 5

/** @throws TypeError where neither way is given. */
export function databaseOf(connection: InboxConnection<unknown>, table: string): Database {
  const { pool, transaction, query = pool && inClient } = connection
  const transact = transaction ? transactBy(transaction) : pool && transactIn(pool)
  if (!(transact && query)) {
    throw new TypeError('An inbox needs a `pool`, or `transaction` and `query`.')
  }
  if (pool) listenTo(pool)
  const send = createAsk(table, SETUP)
  let isolates = false

  const sendingIn = (client: unknown, underWay?: Session['underWay']) =>
    sending<readonly Row[]>(
      async (statement, ...values) =>
        recordsOf(await send((...sent) => query(client, ...sent), statement, values)),
      underWay,
    )

  function transactBy(begin: Transact<unknown>): Database['transact'] {
    return async (work) => {
      await begin(async (client) => {
        const sending = sendingIn(client)
        if (isolates) await sending.ask(READ_COMMITTED)
        await work(client, sending)
      })
      return undefined
    }
  }

  function transactIn(from: PostgresPool<unknown>): Database['transact'] {
    return async (work, begun) => {
      const session = begun?.session ?? (await openSession(from))
      try {
        const sending = sendingIn(session.client, session.underWay)
        const next = await work(session.client, sending, session.back)
        if (next) {
          const [row] = await session.commitAndBegin(() => sending.ask(...next))
          if (row) return { session, row }
          void session.rollback()
        } else await session.commit()
        return undefined
      } catch (error) {
        throw await session.rollback(error)
      }
    }
  }

  const alone: Ask = async (statement, ...values) => {
    if (pool && !isolates) {
      return recordsOf(await send((...sent) => queryPool(pool, ...sent), statement, values))
    }
    let rows: readonly Row[] = []
    await transact(async (_client, sending) => {
      rows = await sending.ask(statement, ...values)
      return undefined
    })
    return rows
  }

  const ask: Ask = async (...statement) => {
    for (let tries = 1; ; tries++) {
      try {
        return await repeated(() => alone(...statement))
      } catch (error) {
        if (tries === TRIES || !conflictOf(error)) throw error
        isolates ||= hasCode(error, '40001')
      }
    }
  }

  return {
    ask,
    chains: transaction === undefined,
    transact,
    isolate() {
      isolates = true
    },
  }
}

/** The SQLSTATE and the name of an error by which PostgreSQL says that a transaction got in the way of another. */
export function conflictOf(error: unknown): string | undefined {
  if (hasCode(error, '40001')) return 'a serialization failure (40001)'
  return hasCode(error, '40P01') ? 'a deadlock (40P01)' : undefined
}

/** Whether PostgreSQL says that the encoding of its database lacks a character, as LATIN1 lacks an emoji. */
export function lacksCharacter(error: unknown): boolean {
  return hasCode(error, '22P05')
}

/** A text with the escapes of JSON for what is not in ASCII, which every encoding has. */
export function inAscii(text: string, backslash = '\\'): string {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => {
    return `${backslash}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function recordsOf(rows: readonly unknown[]): readonly Row[] {
  if (rows.every(isRecord)) return rows
  throw new Error('`query` resolved to neither rows nor an object with `rows`, each an object.')
}
