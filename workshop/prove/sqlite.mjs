import { createRequire } from 'node:module'
import Database from 'libsql'

/**
 * @typedef {object} OpenedStatement
 * @property {(...values: (string | number)[]) => unknown[]} all
 * @property {(...values: (string | number)[]) => { readonly changes: number | bigint }} run
 *
 * @typedef {object} OpenedDatabase
 * @property {(sql: string) => unknown} exec
 * @property {(sql: string) => OpenedStatement} prepare
 * @property {() => void} close
 *
 * @typedef {(path: string) => OpenedDatabase} OpenSqlite
 */

/**
 * How a file is opened by each driver; undefined where the driver is not there. libsql has the interface of
 * better-sqlite3, and npm carries its binaries. For better-sqlite3 itself, BETTER_SQLITE3 names a folder in which it is installed.
 *
 * @type {Readonly<Record<'node:sqlite' | 'libsql' | 'better-sqlite3', OpenSqlite | undefined>>}
 */
export const SQLITE_DRIVERS = {
  'node:sqlite': nodeSqlite(),
  libsql: (path) => new Database(path),
  'better-sqlite3': betterSqlite(process.env.BETTER_SQLITE3),
}

/**
 * Opens a file with the first driver that is there.
 *
 * @type {OpenSqlite}
 */
export const openSqlite = Object.values(SQLITE_DRIVERS).find(Boolean)

/** Node has it from 22.13 on. */
function nodeSqlite() {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? {}
  return DatabaseSync && ((path) => new DatabaseSync(path))
}

function betterSqlite(folder) {
  if (!folder) return undefined
  const BetterSqlite = createRequire(`${folder}/`)('better-sqlite3')
  return (path) => new BetterSqlite(path)
}
