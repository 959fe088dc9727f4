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

function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && name.length <= LONGEST
}
