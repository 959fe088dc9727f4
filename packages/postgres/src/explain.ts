import { ENDED } from './statements.ts'

/** The SQLSTATE of a table that is not there. */
const UNDEFINED_TABLE = '42P01'

export function explained(error: unknown, table: string, remedy: string): unknown {
  if (!hasCode(error, UNDEFINED_TABLE)) return error
  const message = `The table ${table} does not exist. ${remedy} If you have, name its schema in \`table\`: this connection has another search_path.`
  return advice(message, error, UNDEFINED_TABLE)
}

/** An error of the client with what to do about it, and its SQLSTATE, so that it is shown in place of its cause. */
function advice(message: string, cause: unknown, code: string): Error {
  return Object.assign(new Error(message, { cause }), { code })
}

/** How deep an error of the client may be wrapped. */
const DEPTH = 5

/**
 * Whether an error has this SQLSTATE, which every client gives as `code`, and says this text. ORMs wrap that error: as the `cause`, as
 * Sequelize's `original`, and Prisma in its message.
 */
export function hasCode(error: unknown, sqlState: string, text = '', depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEPTH) return false
  const { code, cause, original, message } = Object(error)
  const said = String(message)
  const isNamed = (code === sqlState || said.includes(`\`${sqlState}\``)) && said.includes(text)
  return isNamed || hasCode(cause ?? original, sqlState, text, depth + 1)
}

/** The SQLSTATE of a text that is not a number. */
const NOT_A_NUMBER = '22P02'

/** The SQLSTATE of the end of a transaction where there is none. */
export const NO_TRANSACTION = '25P01'

/** The SQLSTATE of a savepoint that is not there. */
const NO_SAVEPOINT = '3B001'

/** The SQLSTATE of a statement in a transaction that has failed. */
const FAILED_TRANSACTION = '25P02'

export const ENDED_BY_HANDLER: string = `${ENDED} Do not send COMMIT or ROLLBACK in a handler. To roll back, throw an error.`

/** Says what the handler did, where a transaction cannot end because of that. */
export function explainEnd(error: unknown): unknown {
  // A constraint that is deferred until COMMIT may fail with the same code.
  if (hasCode(error, NOT_A_NUMBER, ENDED)) return advice(ENDED_BY_HANDLER, error, NOT_A_NUMBER)
  if (hasCode(error, NO_SAVEPOINT)) return advice(ENDED_BY_HANDLER, error, NO_SAVEPOINT)
  // Of a savepoint, or of an inbox whose transaction goes on with the next delivery.
  if (hasCode(error, NO_TRANSACTION)) return advice(ENDED_BY_HANDLER, error, NO_TRANSACTION)
  if (!hasCode(error, FAILED_TRANSACTION)) return error
  return advice(
    'A statement failed, and the handler ignored the error. PostgreSQL commits nothing after a failed statement. Do not catch the error, or put the statement into a savepoint.',
    error,
    FAILED_TRANSACTION,
  )
}
