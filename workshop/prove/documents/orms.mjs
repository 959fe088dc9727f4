// The recipes of docs/guides/orms.md, as they stand there, on PostgreSQL.
import assert from 'node:assert/strict'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createDeliveryHandler } from '@webhook-receiver/core'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { migrationOf } from '@webhook-receiver/postgres'
import { readCommandLine } from '../command-line.mjs'
import { inTemporaryFolder } from '../pack.mjs'
import { compile } from '../packed/compile.mjs'
import { install, versionOf } from '../packed/install.mjs'
import { createDatabase, queryPostgres } from '../postgres.mjs'
import { withCleanup } from '../runs.mjs'
import { conclude, run } from '../step.mjs'
import { TcpProxy } from '../tcp-proxy.mjs'
import { codeBlocks, DOCS } from './code-blocks.mjs'

readCommandLine(
  'prove -- orms',
  `Installs the ORMs that docs/guides/orms.md names, checks the types of its recipes, and runs each against PostgreSQL: a table that is
missing, three copies of a delivery at once, a handler that fails, and PostgreSQL away and back.`,
  {},
)

const PACKAGES = fileURLToPath(new URL('../../../packages/', import.meta.url))

/** `prisma generate` asks for this engine, which it does not run, and would download it. */
const PRISMA = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }

const SCHEMA = `generator client {
  provider = "prisma-client"
  output   = "./generated"
}
datasource db {
  provider = "postgresql"
}
model Order {
  id String @id
  @@map("orders")
}
`

const page = await readFile(join(DOCS, 'guides/orms.md'), 'utf8')
const recipes = codeBlocks(page)
  .filter(({ needs }) => needs.length > 0)
  .map(({ file, ...block }) => ({ ...block, name: file.replace('.ts', '') }))
let url
let proxy

await inTemporaryFolder((folder) =>
  withCleanup(async (onEnd) => {
    await prepare(folder)
    url = await createDatabase(onEnd)
    // What the recipes connect to can be cut.
    proxy = await new TcpProxy(url).open()
    process.env.DATABASE_URL = proxy.url
    onEnd(() => {
      // The clients of the recipes are still connected, and some report that as an error that nobody catches.
      process.removeAllListeners('uncaughtException').on('uncaughtException', () => {})
      return proxy.cut()
    })
    conclude(await judgeAll(folder))
  }),
)
// The clients of the recipes stay connected.
process.exit()

async function prepare(folder) {
  const needs = [...new Set(recipes.flatMap((recipe) => recipe.needs)), '@types/pg']
  const latest = Object.fromEntries(needs.map((name) => [name, 'latest']))
  await install(folder, { ...latest, '@types/node': '20', typescript: '5.9' })
  const own = join(folder, 'node_modules/@webhook-receiver')
  await mkdir(own)
  for (const name of ['core', 'postgres']) {
    await symlink(join(PACKAGES, name), join(own, name))
  }
  await writeFile(join(folder, 'schema.prisma'), SCHEMA)
  const args = ['prisma', 'generate', '--schema', 'schema.prisma']
  await run('npx', args, { cwd: folder, env: PRISMA })
  const files = recipes.map(({ name }) => `${name}.ts`)
  for (const { name, code } of recipes) await writeFile(join(folder, `${name}.ts`), code)
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, type: 'module' }))
  const flags = ['--rewriteRelativeImportExtensions']
  assert.deepEqual(await compile({ folder, files, into: 'out', flags }), [])
}

async function judgeAll(folder) {
  const results = []
  for (const { name, needs } of recipes) {
    const versions = await Promise.all(
      needs.map(async (each) => `${each} ${await versionOf(folder, each)}`),
    )
    const problems = []
    const note = (error) => problems.push(`It would have ended the process: ${error.stack}`)
    process.on('uncaughtException', note)
    const { href } = pathToFileURL(join(folder, 'out', `${name}.js`))
    await judgeStore(await import(href)).catch((error) => problems.push(error.stack))
    process.off('uncaughtException', note)
    results.push({ name, saw: versions.join(', '), problems })
  }
  return results
}

function ask(text, values) {
  return queryPostgres(text, values, url)
}

function newDelivery(id) {
  return { ...sampleDelivery('message.received', { id }), known: true }
}

async function judgeStore({ store, save }) {
  await ask('DROP TABLE IF EXISTS webhook_deliveries, orders')
  await ask('CREATE TABLE orders (id text PRIMARY KEY)')
  const insert = createDeliveryHandler(
    async ({ id }, { transaction }) => void (await save(transaction, id)),
    { store, onRejected: false },
  )
  const rowsOf = async (id, endpoint = 'default') => {
    const orders = await ask('SELECT id FROM orders WHERE id = $1', [id])
    const marks = await ask('SELECT key FROM webhook_deliveries WHERE key = $1 AND done', [
      `${endpoint}:${id}`,
    ])
    return [orders.length, marks.length]
  }

  await assert.rejects(insert(newDelivery('early')), ({ detail }) => {
    assert.match(detail, /The table "webhook_deliveries" does not exist\. Call migrate\(query\)/)
    return true
  })

  await ask(migrationOf())
  const copies = await Promise.allSettled([1, 2, 3].map(() => insert(newDelivery('once'))))
  const completed = copies.filter(({ value }) => value === 'completed')
  assert.equal(completed.length, 1, JSON.stringify(copies))
  for (const { reason } of copies) if (reason) assert.equal(reason.reason, 'delivery_in_progress')
  assert.deepEqual(await rowsOf('once'), [1, 1])
  assert.equal(await insert(newDelivery('once')), 'duplicate')

  const failure = new Error('after the row was written')
  let fails = true
  const failing = createDeliveryHandler(
    async ({ id }, { transaction }) => {
      await save(transaction, id)
      if (fails) throw failure
    },
    { store, endpoint: 'failing', onRejected: false },
  )
  await assert.rejects(failing(newDelivery('failed')), failure)
  assert.deepEqual(await rowsOf('failed', 'failing'), [0, 0])
  fails = false
  assert.equal(await failing(newDelivery('failed')), 'completed')
  assert.deepEqual(await rowsOf('failed', 'failing'), [1, 1])

  // A statement of the store that deletes and returns rows.
  assert.equal(await store.forget('failing:failed'), true)
  assert.equal(await store.forget('failing:failed'), false)

  await proxy.cut()
  await assert.rejects(insert(newDelivery('away')), { reason: 'store_unavailable' })
  await proxy.open()
  await untilHandled(insert, 'away')
  assert.deepEqual(await rowsOf('away'), [1, 1])
}

/** As a service does that retries. */
async function untilHandled(handle, id) {
  for (let tries = 0; ; tries++) {
    try {
      return await handle(newDelivery(id))
    } catch (error) {
      if (tries === 200) throw error
      await delay(50)
    }
  }
}
