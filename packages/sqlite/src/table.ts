import { type Rule, stringRule } from '@webhook-receiver/core/options'

/** The table where none is named. */
export const TABLE = 'webhook_deliveries'

/** A name that can be quoted without escapes. SQLite keeps the names that begin with `sqlite_` for itself. */
export const TABLE_NAME: Rule<string> = stringRule(
  `a name of letters, digits and underscores, such as '${TABLE}'`,
  /^(?!sqlite_)[a-z_]\w*$/i,
)
