import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diagnose } from '@webhook-receiver/diagnose'
import { dynamodbStore } from '@webhook-receiver/dynamodb'
import { postgresInbox } from '@webhook-receiver/inbox'
import { postgresStore, postgresTransactionalStore } from '@webhook-receiver/postgres'
import { folderQuarantine } from '@webhook-receiver/quarantine'
import { redisStore } from '@webhook-receiver/redis'
import { defineScheme, stripe } from '@webhook-receiver/schemes'
import { awsSns } from '@webhook-receiver/schemes/aws-sns'
import { sqliteStore, sqliteTransactionalStore } from '@webhook-receiver/sqlite'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'marks-'))
afterAll(() => rmSync(folder, { recursive: true }))

const never = () => expect.unreachable()
const database = { exec() {}, prepare: never }
const inbox = postgresInbox({
  pool: { query: never, connect: never },
  services: { stripe: { scheme: stripe, handlers: never } },
})

const MADE: Readonly<Record<string, readonly unknown[]>> = {
  schemes: [stripe, { ...stripe, name: 'wrapped' }, defineScheme(stripe.value), awsSns()],
  diagnose: [diagnose],
  quarantine: [folderQuarantine(folder)],
  inbox: [inbox.receive('stripe')],
  redis: [redisStore({ send: never })],
  postgres: [
    postgresStore({ query: never }),
    postgresTransactionalStore({ transaction: never, query: never }),
  ],
  sqlite: [sqliteStore({ database }), sqliteTransactionalStore({ database })],
  dynamodb: [dynamodbStore({ update: never })],
}

// The tests of core show what it does with a mark of another release.
test.each(Object.entries(MADE))(
  'what %s makes for a receiver names its package, so that one of another release can be rejected',
  (name, made) => {
    const marks = made.map((value) =>
      Reflect.get(Object(value), Symbol.for('@webhook-receiver/core.maker')),
    )
    for (const mark of marks) expect(mark).toMatchObject({ package: `@webhook-receiver/${name}` })
  },
)
