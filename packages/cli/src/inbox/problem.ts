import { codeOf, Failure, messageOf, noResponseWords, UsageError } from '../console/index.ts'

interface Database {
  readonly table: string
  /** What DATABASE_URL says; `undefined` if it is not set. */
  readonly url: string | undefined
  /** Whether the environment says where the database is. */
  readonly isNamed: boolean
}

/** PostgreSQL's undefined_table. */
const NO_TABLE = '42P01'

/** By the code of PostgreSQL or Node, or the words of the client, which has no codes. The first that fits counts. */
const FIXES: readonly (readonly [said: RegExp, fix: string])[] = [
  [/ no encryption$/, 'Add sslmode=require to DATABASE_URL.'],
  [/no PostgreSQL user name/, 'Name a user in DATABASE_URL: postgres://USER@HOST/DATABASE.'],
  [/^28|password must be/, 'Correct the user or password in DATABASE_URL.'],
  [/^3D000/, 'Correct the name of the database in DATABASE_URL.'],
  [/^42501/, 'Let this user read and write the tables of the inbox.'],
  [/^ENOTFOUND|^EAI_AGAIN/, 'Correct the host in DATABASE_URL.'],
  [/^ECONN|^ETIMEDOUT|^E\w+UNREACH|timeout/, 'Start it, or correct host and port in DATABASE_URL.'],
  [/^53300/, 'Run this again when your application uses fewer connections.'],
]

export const UNNAMED = 'No database is named: set DATABASE_URL in the environment or .env.'

/** An error of the client of PostgreSQL with its fix. */
export function explained(error: unknown, { table, url, isNamed }: Database): Error {
  const code = codeOf(error) ?? ''
  const said = messageOf(error)
  if (code === NO_TABLE) {
    return new Failure(
      `The inbox ${table} is not in this database. Start your application once: its inbox.setup() makes the tables. Or name another --table.`,
    )
  }
  if (!isNamed && url === undefined) {
    return new UsageError(UNNAMED)
  }
  if (code === 'ERR_INVALID_URL') {
    return new UsageError('DATABASE_URL is not a URL. In a password, write # as %23 and / as %2F.')
  }
  if (url !== undefined && !/^(?:postgres(?:ql)?:|socket:|\/)/.test(url)) {
    return new UsageError('DATABASE_URL should begin with postgres://.')
  }
  const [, fix = ''] = FIXES.find(([pattern]) => pattern.test(`${code} ${said}`)) ?? []
  const place = url === undefined ? 'PGHOST and the like' : 'DATABASE_URL'
  const todo = fix.replace('DATABASE_URL', place)
  return new Failure(`PostgreSQL: ${noResponseWords(said)}. ${todo}`.trim())
}
