import { checkValue, type Rule, rule } from '@webhook-receiver/core/store'

/** The table where none is named. */
export const TABLE = 'webhook_deliveries'

/** PostgreSQL cuts names at 63 bytes; this leaves room for the names of the indexes. */
const LONGEST = 50

/** A name that can be quoted without escapes. */
export function tableName(example: string): Rule<string> {
  return rule(
    `a name of letters, digits and underscores, at most ${LONGEST} long, such as '${example}' or 'myschema.${example}'`,
    (value) => {
      const names = typeof value === 'string' ? value.split('.') : []
      return (names.length === 1 || names.length === 2) && names.every(isName)
    },
  )
}

export const TABLE_NAME: Rule<string> = tableName(TABLE)

/**
 * Quotes the name of a table, with its schema where there is one.
 *
 * @throws TypeError for an invalid name.
 */
export function quotedTable(table: unknown = TABLE, rule: Rule<string> = TABLE_NAME): string {
  const names = checkValue('table', table, rule).split('.')
  return names.map((name) => `"${name}"`).join('.')
}

/**
 * The SQL of a lock until the end of the transaction, for whoever creates this table: two that begin at once find it missing, and one of them
 * fails. Those who create other tables do not wait for it, also where another schema has one of the same name.
 */
export function creationLock(quoted: string): string {
  const [name, schema = `concat('"', current_schema(), '"')`] = quoted
    .split('.')
    .map((part) => `'${part}'`)
    .reverse()
  return `pg_advisory_xact_lock(hashtextextended(concat_ws('.', 'webhook-receiver:migration', ${schema}, ${name}), 0))`
}

function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && name.length <= LONGEST
}
