import { readFile } from 'node:fs/promises'
import type { DeliveryStore } from '@webhook-receiver/core'
import { expect, test } from 'vitest'

/** A store in a SQL database, and its tables. */
export interface SqlTables {
  readonly readme: URL
  readonly migrationOf: (options?: { readonly table: string }) => string
  readonly open: (table: string) => DeliveryStore
  /** Runs statements. */
  readonly exec: (sql: string) => unknown
  readonly count: (table: string) => unknown
  /** Statements that insert 2400 rows that have expired, and two that have not: `done`, and `leased`. */
  readonly fill: (table: string) => string
  readonly names: readonly string[]
  readonly wrongNames: readonly unknown[]
}

/** Tests the tables of a store in a SQL database. Call it at the top level of a test file. */
export function describeTables({
  readme,
  migrationOf,
  open,
  exec,
  count,
  fill,
  names,
  wrongNames,
}: SqlTables): void {
  test('the README shows the SQL of the table as it is', async () => {
    expect(await readFile(readme, 'utf8')).toContain(`\`\`\`sql\n${migrationOf()}\`\`\``)
  })

  test.each(names)('the table %s is made by the SQL, which may be run again', async (table) => {
    for (const _ of [1, 2]) await exec(migrationOf({ table }))
    expect(await open(table).claim('key', 'token', 1)).toEqual({ status: 'claimed' })
    expect(await count(table)).toBe(1)
  })

  test.each(wrongNames)('rejects the table name %j', (table) => {
    for (const make of [open, (name: string) => migrationOf({ table: name })]) {
      const making = () => Reflect.apply(make, undefined, [table])
      expect(making).toThrow(TypeError)
      expect(making).toThrow('`table` should be a name of letters, digits and underscores')
      expect(making).toThrow(`got ${JSON.stringify(table)}.`)
    }
  })

  test('a table loses its expired rows to later claims, some at a time, and no others', async () => {
    const table = 'swept'
    await exec(migrationOf({ table }))
    await exec(fill(table))
    const store = open(table)
    await store.claim('new 0', 't', 60)
    expect(await count(table)).toBe(2400 - 1024 + 3)
    for (let n = 1; n < 256; n++) await store.claim(`new ${n}`, 't', 60)
    expect(await count(table)).toBe(2400 - 1024 + 2 + 256)
    for (let n = 256; n < 514; n++) await store.claim(`new ${n}`, 't', 60)
    expect(await count(table)).toBe(2 + 514)
    expect(await store.claim('done', 'x', 60)).toEqual({ status: 'done' })
    expect(await store.claim('leased', 'x', 60)).toMatchObject({ status: 'in_progress' })
  })
}
