import { queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { withRedis } from '@webhook-receiver/checks/redis.mjs'
import { postgresServer, redisServer } from '@webhook-receiver/checks/servers.mjs'

/** Responds first, and adds the job a moment later. */
const later = (enqueue) =>
  `async (...given: Parameters<typeof enqueue>) => void setTimeout(() => ${enqueue}.catch(() => {}), 100)`

/**
 * The examples, each on a separate server. `changes` are made to their sources, and those of `naive` too for the
 * control. `waiting` counts the jobs that are not done. `backOff` makes all that are stored wait for their next attempt, as after ten
 * that failed.
 */
export const INBOXES = {
  postgres: {
    example: 'postgres-inbox',
    variable: 'DATABASE_URL',
    startServer: postgresServer,
    // A kill in the middle of a handler counts as an attempt, and what is dead has no effect.
    changes: [['inbox.ts', 'attempts: 5', 'attempts: 1000']],
    naive: [
      [
        'server.ts',
        "inbox.receive('messages')",
        "(...given) => void setTimeout(() => inbox.receive('messages')(...given).catch(() => {}), 100)",
      ],
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
      return (await queryPostgres('SELECT count(*)::integer FROM webhook_inbox_open', [], url))[0]
        .count
    },
    backOff: (url) =>
      queryPostgres(
        "UPDATE webhook_inbox_open SET attempts = 10, due = now() + random() * interval '10 minutes'",
        [],
        url,
      ),
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
      ['server.ts', 'WEBHOOK_SECRET, enqueue', `WEBHOOK_SECRET, ${later('enqueue(...given)')}`],
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
            ...['delayed', 'failed'].map((state) => redis.zcard(lane + state)),
          ]),
        )
        return counts.reduce((sum, count) => sum + count, 0)
      }, url),
  },
}
