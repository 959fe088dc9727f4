import { queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { withRedis } from '@webhook-receiver/checks/redis.mjs'
import { postgresServer, redisServer } from '@webhook-receiver/checks/servers.mjs'

/** Responds first, and adds the job a moment later. */
const later = (enqueue) =>
  `any: async (delivery) => void setTimeout(() => ${enqueue}.catch(() => {}), 20)`

/**
 * The examples, each on a separate server. `changes` are made to their sources, and those of `naive` too for the
 * control. `waiting` counts the jobs that are not dead letters.
 */
export const INBOXES = {
  postgres: {
    example: 'postgres-inbox',
    variable: 'DATABASE_URL',
    startServer: postgresServer,
    changes: [],
    naive: [
      [
        'server.ts',
        'any: (delivery, { transaction }) => enqueue(delivery, transaction)',
        later('enqueue(delivery, pool)'),
      ],
      ['server.ts', 'client: pg.PoolClient', 'client: pg.Pool'],
      // The attempts of the engine.
      ['server.ts', 'max_attempts := 1', 'max_attempts := 10'],
      ['worker.ts', 'runInOrder(work, { attempts: 5 })', 'work'],
    ],
    prepare: (url) =>
      queryPostgres(
        `CREATE TABLE effects (
          position bigint GENERATED ALWAYS AS IDENTITY, id text, conversation text, number integer
        )`,
        [],
        url,
      ),
    effects: (url) =>
      queryPostgres('SELECT id, conversation, number FROM effects ORDER BY position', [], url),
    async waiting(url) {
      const unfinished = 'attempts < max_attempts OR locked_at IS NOT NULL'
      const count = `SELECT count(*)::integer FROM graphile_worker.jobs WHERE ${unfinished}`
      return (await queryPostgres(count, [], url))[0].count
    },
  },
  redis: {
    example: 'bullmq',
    variable: 'REDIS_URL',
    startServer: () => redisServer({ persistent: true }),
    // A tenth of what the example waits before it takes over from a worker that was killed.
    changes: [
      ['worker.ts', 'lockDuration: 10_000', 'lockDuration: 1000'],
      ['worker.ts', 'stalledInterval: 5000', 'stalledInterval: 500'],
    ],
    naive: [
      ['server.ts', 'any: enqueue', later('enqueue(delivery)')],
      // The attempts of the engine.
      [
        'server.ts',
        'removeOnComplete:',
        "attempts: 5, backoff: { type: 'exponential', delay: 500 }, $&",
      ],
      ['worker.ts', 'if (attempt === ATTEMPTS) throw', 'throw'],
    ],
    prepare: async () => {},
    effects: (url) =>
      withRedis(
        async (redis) => (await redis.lrange('effects', 0, -1)).map((line) => JSON.parse(line)),
        url,
      ),
    waiting: (url) =>
      withRedis(async (redis) => {
        const lanes = (await redis.keys('bull:*:meta')).map((key) => key.slice(0, -'meta'.length))
        const counts = await Promise.all(
          lanes.flatMap((lane) => [
            redis.llen(`${lane}wait`),
            redis.llen(`${lane}active`),
            redis.zcard(`${lane}delayed`),
          ]),
        )
        return counts.reduce((sum, count) => sum + count, 0)
      }, url),
  },
}

/** A source with changes, each of which has to be found. */
export function changed(source, file, changes) {
  return changes
    .filter(([name]) => name === file)
    .reduce((text, [, from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`)
      return text.replace(from, to)
    }, source)
}
