// The recipes of the stores and of the inbox: each block of these documents that makes one, and the same with what the text beside it says.
import { readFileSync } from 'node:fs'
import { codeBlocks } from '@webhook-receiver/checks/documents/code-blocks.mjs'
import { stripe } from '@webhook-receiver/schemes'

const ROOT = new URL('../../../../', import.meta.url)

/** Each with what its clients connect to: a name in `SERVERS`. */
const DOCUMENTS = {
  'packages/redis/README.md': 'redis',
  'packages/postgres/README.md': 'postgres',
  'docs/reference/postgres.md': 'postgres',
  'packages/sqlite/README.md': 'file',
  'packages/dynamodb/README.md': 'dynamodb',
  'packages/inbox/README.md': 'postgres',
  'docs/reference/inbox.md': 'postgres',
  'docs/guides/inbox.md': 'postgres',
  'docs/guides/production.md': 'postgres',
}

/** What a block has that connects to something else. */
const ELSEWHERE = { cluster: /Cluster\(/, upstash: /UPSTASH/, none: /PGlite/ }

/** What makes a store or an inbox. */
const MAKES =
  /\b(?:(?:redis|postgres|postgresTransactional|sqlite|sqliteTransactional|dynamodb)Store|postgresInbox)[<(]/

/** What the text says beside a block, and the block with that. */
const VARIANTS = [
  [/postgresTransactionalStore.*sql\.begin/s, /only `query`: for postgres\.js `(.+?)`/, leaseOf],
  [/PGlite/, /for PGlite `(.+?)`/, leaseOf],
  [
    /new DynamoDB\(/,
    /`update` is\s+`(.+?)`/,
    (code, update) =>
      code
        .replace('{ DynamoDB }', '{ DynamoDBClient, UpdateItemCommand }')
        .replace('dynamodb = new DynamoDB(', 'client = new DynamoDBClient(')
        .replace(/update: .*/, `update: ${update},`),
  ],
]

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
  return [
    ...Object.entries(DOCUMENTS).flatMap(recipesIn),
    { name: 'examples/postgres-inbox', server: 'postgres', example: 'postgres-inbox' },
    { name: 'examples/bullmq', server: 'ownRedis', example: 'bullmq' },
  ]
}

function recipesIn([page, usual]) {
  const text = readFileSync(new URL(page, ROOT), 'utf8')
  const blocks = codeBlocks(text)
    .filter(({ language, code }) => language === 'ts' && MAKES.test(code))
    .map(({ code }) => code)
  if (blocks.length === 0) throw new Error(`${page} has no recipe.`)
  const variants = blocks.flatMap((code) =>
    VARIANTS.filter(([block]) => block.test(code)).map(([, said, change]) => {
      const [, found] = said.exec(text) ?? []
      if (!found) throw new Error(`${page} has nothing like ${said}`)
      return change(code, found)
    }),
  )
  return [...blocks, ...variants].map((code, at) => {
    const [server = usual] =
      Object.entries(ELSEWHERE).find(([, pattern]) => pattern.test(code)) ?? []
    return {
      name: `${page}, ${at + 1}`,
      server,
      short: server === 'redis',
      code: PREPARED[server]?.(code) ?? code,
      ...(code.includes('scheme: stripe') && { scheme: stripe }),
    }
  })
}

/** The same client with the other store. */
function leaseOf(code, query) {
  return code
    .replaceAll('postgresTransactionalStore', 'postgresStore')
    .replace(/const store = .*/s, `const store = postgresStore({ query: ${query} })\n`)
}

const PREPARED = {
  /** A database inside the process has no table yet. */
  none(code) {
    const migrate = 'await migrate((text, values) => db.query(text, values))'
    return `import { migrate } from '@webhook-receiver/postgres'\n${code}${migrate}\n`
  },
  /** Node before 22.13 has no driver. */
  file(code) {
    if (process.getBuiltinModule('node:sqlite')) return code
    const open = "import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'"
    return code.replace(/.*'node:sqlite'/, open).replace('new DatabaseSync(', 'openSqlite(')
  },
}
