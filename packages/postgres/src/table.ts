import { checkValue, type Rule, rule } from '@webhook-receiver/core/store'

/** The table where none is named. */
export const TABLE = 'webhook_deliveries'

/** PostgreSQL cuts names at 63 bytes; this leaves room for the name of the index. */
const LONGEST = 50

/** A name that can be quoted without escapes. */
export const TABLE_NAME: Rule<string> = rule(
  `a name of letters, digits and underscores, at most ${LONGEST} long, such as '${TABLE}' or 'myschema.${TABLE}'`,
  (value) => {
    const names = typeof value === 'string' ? value.split('.') : []
    return (names.length === 1 || names.length === 2) && names.every(isName)
  },
)

/**
 * Quotes the name of a table, with its schema where there is one.
 *
 * @throws TypeError for an invalid name.
 */
export function quotedTable(table: unknown = TABLE): string {
  const names = checkValue('table', table, TABLE_NAME).split('.')
  return names.map((name) => `"${name}"`).join('.')
}

function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && name.length <= LONGEST
}
