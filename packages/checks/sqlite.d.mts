export interface OpenedDatabase {
  exec(sql: string): unknown
  prepare(sql: string): {
    all(...values: (string | number)[]): unknown[]
  }
  close(): void
}

export type OpenSqlite = (path: string) => OpenedDatabase

export const SQLITE_DRIVERS: Readonly<
  Record<'node:sqlite' | 'libsql' | 'better-sqlite3', OpenSqlite | undefined>
>

export const openSqlite: OpenSqlite
