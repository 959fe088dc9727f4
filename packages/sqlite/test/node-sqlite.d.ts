// What the documents use of node:sqlite: the types of Node 20 do not have it. Remove it with those.
declare module 'node:sqlite' {
  class StatementSync {
    all(...values: (string | number | bigint | null | Uint8Array)[]): Record<string, unknown>[]
    run(...values: (string | number | bigint | null | Uint8Array)[]): {
      readonly changes: number | bigint
    }
  }
  export class DatabaseSync {
    constructor(path: string)
    exec(sql: string): void
    prepare(sql: string): StatementSync
    close(): void
  }
}
