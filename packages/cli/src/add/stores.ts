import type { Shared } from './framework.ts'
import { LOCAL_POSTGRES } from './variables.ts'

export type StoreName = 'redis' | 'upstash' | 'postgres' | 'sqlite' | 'dynamodb'

/** They connect while their file is loaded, and a Worker may only in a request, for that request. */
export const NOT_ON_WORKERS: readonly string[] = ['redis', 'postgres', 'sqlite', 'inbox']

export const STORES: Readonly<Record<StoreName, Shared>> = {
  redis: {
    packages: { run: ['@webhook-receiver/redis', 'ioredis'], develop: [] },
    variables: [
      { name: 'REDIS_URL', comment: 'The Redis of the store', value: 'redis://127.0.0.1:6379' },
    ],
    code: {
      imports: [
        { from: '@webhook-receiver/redis', names: ['redisStore'] },
        { from: 'ioredis', names: ['Redis'] },
      ],
      body: `const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', {
  // A delivery that finds no Redis gets 503 soon, and the service retries.
  commandTimeout: 1500,
  maxRetriesPerRequest: 0,
  retryStrategy: () => 200,
})
redis.on('error', (error) => console.error('redis:', error.message))

export const store = redisStore({ send: (command) => redis.call(...command) })`,
    },
  },
  upstash: {
    packages: { run: ['@webhook-receiver/redis'], develop: [] },
    variables: [
      {
        name: 'UPSTASH_REDIS_REST_URL',
        comment: 'The REST URL of the database, from the console of Upstash',
        value: '',
      },
      {
        name: 'UPSTASH_REDIS_REST_TOKEN',
        comment: 'The REST token of the database: not the read-only one, which cannot write',
        value: '',
      },
    ],
    code: {
      imports: [{ from: '@webhook-receiver/redis', names: ['redisStore'] }],
      body: `// Over HTTP: nothing has to be connected first. On Workers, process.env needs the flag nodejs_compat.
export const store = redisStore({
  async send(command) {
    const response = await fetch(process.env.UPSTASH_REDIS_REST_URL ?? '', {
      method: 'POST',
      headers: { Authorization: \`Bearer \${process.env.UPSTASH_REDIS_REST_TOKEN}\` },
      body: JSON.stringify(command),
    })
    if (!response.ok) throw new Error(\`Upstash responded with \${response.status}\`)
    return Object(await response.json()).result
  },
})`,
    },
  },
  postgres: {
    packages: { run: ['@webhook-receiver/postgres', 'pg'], develop: ['@types/pg'] },
    variables: [
      {
        name: 'DATABASE_URL',
        comment: 'The PostgreSQL of the store',
        value: LOCAL_POSTGRES,
      },
    ],
    code: {
      imports: [
        { from: '@webhook-receiver/postgres', names: ['migrate', 'postgresStore'] },
        { from: 'pg', default: 'pg' },
      ],
      body: `const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL ?? '${LOCAL_POSTGRES}',
  connectionTimeoutMillis: 5000,
})
// Without this line, a lost connection ends the process.
pool.on('error', (error) => console.error('postgres:', error.message))

// The table, which the first delivery waits for.
const migrated = migrate((text, values) => pool.query(text, values))
migrated.catch((error) => console.error('postgres:', error.message))

export const store = postgresStore({
  async query(text, values, name) {
    await migrated
    return pool.query({ text, values, name })
  },
})`,
    },
  },
  sqlite: {
    packages: { run: ['@webhook-receiver/sqlite'], develop: [] },
    variables: [],
    code: {
      imports: [
        { from: 'node:sqlite', names: ['DatabaseSync'] },
        { from: '@webhook-receiver/sqlite', names: ['migrate', 'sqliteStore'] },
      ],
      body: `// node:sqlite needs Node 22.13. All processes on this machine share the file.
const database = new DatabaseSync('webhooks.db')
migrate(database).catch((error) => console.error('sqlite:', error.message))

export const store = sqliteStore({ database })`,
    },
  },
  dynamodb: {
    packages: { run: ['@webhook-receiver/dynamodb', '@aws-sdk/client-dynamodb'], develop: [] },
    variables: [],
    code: {
      imports: [
        { from: '@aws-sdk/client-dynamodb', names: ['DynamoDB'] },
        { from: '@webhook-receiver/dynamodb', names: ['dynamodbStore'] },
      ],
      body: `// It needs the table \`webhook-deliveries\`, and the permission dynamodb:UpdateItem.
const dynamodb = new DynamoDB()

export const store = dynamodbStore({
  update: (input) => dynamodb.updateItem(input),
})`,
    },
  },
}
