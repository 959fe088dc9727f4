/** The table where none is named. */
export const TABLE = 'webhook_deliveries'

/** PostgreSQL cuts names at 63 bytes; this leaves room for the name of the index. */
const LONGEST = 50

/**
 * Quotes the name of a table, with its schema where there is one.
 *
 * @throws TypeError where it is none that needs no thought.
 */
export function quotedTable(table: unknown): string {
  if (typeof table === 'string') {
    const names = table.split('.')
    if (names.length <= 2 && names.every(isName)) return names.map((name) => `"${name}"`).join('.')
  }
  const got = typeof table === 'string' ? JSON.stringify(table) : typeof table
  throw new TypeError(
    `\`table\` should be a name of letters, digits and underscores, at most ${LONGEST} long, such as '${TABLE}' or 'myschema.${TABLE}'; got ${got}.`,
  )
}

function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && name.length <= LONGEST
}
