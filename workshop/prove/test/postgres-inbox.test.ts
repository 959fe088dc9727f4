import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, describe } from 'vitest'
import { DATABASE_URL, postgresProblem, queryPostgres } from '../postgres.mjs'
import { stopPrograms } from '../program.mjs'
import { describeQueueExample } from './queue-suite.ts'

/** A database of this run's own: the example has a table with a fixed name. */
const database = `webhook_test_${randomBytes(8).toString('hex')}`

const problem = await postgresProblem()

function inDatabase(url: string): string {
  const own = new URL(url)
  own.pathname = `/${database}`
  return own.href
}

beforeEach(async () => {
  if (problem !== undefined) return
  await removeDatabase()
  await queryPostgres(`CREATE DATABASE ${database}`)
})

afterAll(async () => {
  await stopPrograms('SIGKILL')
  if (problem === undefined) await removeDatabase()
})

function removeDatabase() {
  return queryPostgres(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
}

describe.skipIf(problem !== undefined)('the postgres-inbox example', () => {
  describeQueueExample({
    name: 'postgres-inbox',
    service: DATABASE_URL,
    envOf: (address) => ({ DATABASE_URL: inDatabase(address) }),
    rewrite: () => (source) => source.replace('attempts: 5', '$&, wait: () => 0.1'),
    fewerAttempts: ['attempts: 5', 'attempts: 2'],
  })
})
