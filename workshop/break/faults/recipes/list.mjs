// The recipes of the stores and of the inbox, as the documents show them.
import { readFileSync } from 'node:fs'
import { codeBlocks } from '@webhook-receiver/checks/documents/code-blocks.mjs'
import { stripe } from '@webhook-receiver/schemes'

const ROOT = new URL('../../../../', import.meta.url)

const REDIS = pageAt('packages/redis/README.md')
const POSTGRES = pageAt('packages/postgres/README.md')
const POSTGRES_REFERENCE = pageAt('docs/reference/postgres.md')
const SQLITE = pageAt('packages/sqlite/README.md')
const DYNAMODB = pageAt('packages/dynamodb/README.md')
const INBOX = pageAt('packages/inbox/README.md')
const INBOX_REFERENCE = pageAt('docs/reference/inbox.md')
const GUIDE = pageAt('docs/guides/inbox.md')

/** What makes a store or an inbox. */
const MAKES =
  /\b(?:(?:redis|postgres|postgresTransactional|sqlite|sqliteTransactional|dynamodb)Store|postgresInbox)[<(]/

/**
 * @typedef {object} Recipe
 * @property {string} name
 * @property {string} server what its client connects to: a name in `SERVERS`
 * @property {string} [code] a block of a document, changed as the text beside it says
 * @property {string} [example] in place of the code: a folder of `examples`
 * @property {import('@webhook-receiver/core').Scheme} [scheme] that of the code
 * @property {boolean} [short] whether it is tried in CI
 *
 * @returns {Recipe[]}
 */
export function findRecipes() {
  const pg = POSTGRES.block('postgresTransactionalStore({ pool })')
  const pgLease = POSTGRES.block('postgresStore({ pool })')
  const postgresJs = POSTGRES_REFERENCE.block("from 'postgres'")
  const pglite = POSTGRES_REFERENCE.block('PGlite.create(')
  const dynamodb = DYNAMODB.block('new DynamoDB()')
  return [
    { name: 'redis, ioredis', server: 'redis', code: REDIS.block('new Redis('), short: true },
    { name: 'redis, ioredis, cluster', server: 'cluster', code: REDIS.block('new Cluster(') },
    { name: 'redis, node-redis', server: 'redis', code: REDIS.block('createClient('), short: true },
    { name: 'redis, node-redis, cluster', server: 'cluster', code: REDIS.block('createCluster(') },
    { name: 'redis, Upstash', server: 'upstash', code: REDIS.block('UPSTASH_REDIS_REST_URL') },
    { name: 'postgres, transaction, pg', server: 'postgres', code: pg },
    { name: 'postgres, transaction, postgres.js', server: 'postgres', code: postgresJs },
    { name: 'postgres, transaction, PGlite', server: 'none', code: migrated(pglite) },
    { name: 'postgres, lease, pg', server: 'postgres', code: pgLease },
    {
      name: 'postgres, lease, postgres.js',
      server: 'postgres',
      code: leaseOf(
        postgresJs,
        POSTGRES_REFERENCE.inline(/only `query`: for postgres\.js `(.+?)`/),
      ),
    },
    {
      name: 'postgres, lease, PGlite',
      server: 'none',
      code: migrated(leaseOf(pglite, POSTGRES_REFERENCE.inline(/for PGlite `(.+?)`/))),
    },
    {
      name: 'sqlite, transaction',
      server: 'file',
      code: anyDriver(SQLITE.block('sqliteTransactionalStore({ database })')),
    },
    {
      name: 'sqlite, lease',
      server: 'file',
      code: anyDriver(SQLITE.block('sqliteStore({ database })')),
    },
    { name: 'dynamodb, DynamoDB', server: 'dynamodb', code: dynamodb },
    {
      name: 'dynamodb, DynamoDBClient',
      server: 'dynamodb',
      code: dynamodb
        .replace('{ DynamoDB }', '{ DynamoDBClient, UpdateItemCommand }')
        .replace('dynamodb = new DynamoDB(', 'client = new DynamoDBClient(')
        .replace(/update: .*/, `update: ${DYNAMODB.inline(/`update` is\s+`(.+?)`/)},`),
    },
    { name: 'inbox, pg', server: 'postgres', code: INBOX.block('new pg.Pool({') },
    {
      name: 'inbox, postgres.js',
      server: 'postgres',
      code: INBOX_REFERENCE.block("from 'postgres'"),
    },
    {
      name: 'inbox of the guide',
      server: 'postgres',
      code: GUIDE.block('Inbox({'),
    },
    { name: 'examples/postgres-inbox', server: 'postgres', example: 'postgres-inbox' },
    { name: 'examples/bullmq', server: 'ownRedis', example: 'bullmq' },
  ].map((recipe) =>
    recipe.code?.includes('scheme: stripe') ? { ...recipe, scheme: stripe } : recipe,
  )
}

/** The blocks of the documents that make a store or an inbox and that no recipe was made of. */
export function forgottenBlocks() {
  findRecipes()
  return [
    REDIS,
    POSTGRES,
    POSTGRES_REFERENCE,
    SQLITE,
    DYNAMODB,
    INBOX,
    INBOX_REFERENCE,
    GUIDE,
  ].flatMap(({ page, blocks, used }) =>
    blocks
      .filter((code) => MAKES.test(code) && !used.has(code))
      .map((code) => `${page}: ${code.split('\n', 1)[0]}`),
  )
}

function pageAt(page) {
  const text = readFileSync(new URL(page, ROOT), 'utf8')
  const blocks = codeBlocks(text)
    .filter(({ language }) => language === 'ts')
    .map(({ code }) => code)
  const used = new Set()
  return {
    page,
    blocks,
    used,
    block(part) {
      const found = blocks.filter((code) => code.includes(part))
      if (found.length !== 1) throw new Error(`${page} has ${found.length} blocks with ${part}`)
      used.add(found[0])
      return found[0]
    },
    /** What the text says beside a block. */
    inline(pattern) {
      const [, found] = pattern.exec(text) ?? []
      if (!found) throw new Error(`${page} has nothing like ${pattern}`)
      return found
    },
  }
}

/** The same client with the other store. */
function leaseOf(code, query) {
  return code
    .replaceAll('postgresTransactionalStore', 'postgresStore')
    .replace(/const store = .*/s, `const store = postgresStore({ query: ${query} })\n`)
}

/** A database inside the process has no table yet. */
function migrated(code) {
  const migrate = 'await migrate((text, values) => db.query(text, values))'
  return `import { migrate } from '@webhook-receiver/postgres'\n${code}${migrate}\n`
}

/** Node before 22.13 has no driver. */
function anyDriver(code) {
  if (process.getBuiltinModule('node:sqlite')) return code
  const open = "import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'"
  return code.replace(/.*'node:sqlite'/, open).replace('new DatabaseSync(', 'openSqlite(')
}
