// Four hours without a receiver, and what the commands of the guide make of it.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { changedBlock } from '@webhook-receiver/checks/documents/code-blocks.mjs'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { createDatabase, queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { startApplication, startProgram } from '@webhook-receiver/checks/program.mjs'
import { temporaryFolder, withCleanup } from '@webhook-receiver/checks/runs.mjs'
import { migrate } from '@webhook-receiver/postgres'
import { StandIn } from './services.mjs'
import { recordedStream } from './stream.mjs'

const GUIDE = new URL('../../../docs/guides/fetch-what-you-missed.md', import.meta.url)
const BREAK = fileURLToPath(new URL('../', import.meta.url))
const RECEIVER = fileURLToPath(new URL('../guide-receiver.mjs', import.meta.url))

const HOUR = 3600

/** That of the guide, in seconds. */
const RETENTION = 14 * 24 * HOUR

/** The runs after which all has to be there: a command that never finds all runs for ever. */
const MOST_RUNS = 20

/**
 * What became of the stream: how many deliveries were sent and how many were missed while the receiver was away, how many of all
 * have no effect or more than one in the end, how often the command ran, how many processes were killed, and whether it refused a cursor
 * from before what the store and the service know.
 *
 * @typedef {{ sent: number, missed: number, lost: number, twice: number, runs: number, kills: number, isRefused: boolean }} Result
 */

/**
 * Plays six hours. The receiver is away from the second to the fifth; then it is back, and the command of the guide fetches, while the
 * service itself tries some of it again. The command is killed in its middle, and so is the receiver.
 *
 * @param {import('./services.mjs').Service} service
 * @param {number} every how many seconds there are between two deliveries
 * @returns {Promise<Result>}
 */
export function missFourHours(service, every) {
  return withCleanup(async (onEnd) => {
    const now = Date.now() / 1000
    const [off, on] = [now - 5 * HOUR, now - HOUR]
    const stream = await recordedStream(service, { from: now - 6 * HOUR, until: now - 600, every })
    const setting = await prepare(service, stream, onEnd)
    const { standIn, startReceiver, startCommand, query } = setting
    const within = (from, until) => stream.filter(({ at }) => at >= from && at < until)
    const count = async () =>
      Number((await query('SELECT count(DISTINCT id) AS count FROM paid'))[0].count)

    let receiver = await startReceiver()
    await standIn.send(within(0, off))
    await receiver.stop('SIGKILL')
    const away = within(off, on)
    await standIn.send(away)
    receiver = await startReceiver()
    await standIn.send(within(on, now))
    const missed = stream.length - (await count())
    // As it was left by the last run before the outage.
    const setCursor = (at) => query('UPDATE cursors SET at = $1', [Math.floor(at)])
    await query('CREATE TABLE cursors (name text PRIMARY KEY, at int8)')
    await query('INSERT INTO cursors VALUES ($1, 0)', [service.name])
    await setCursor(off - HOUR / 4)

    let runs = 0
    // What Stripe and Svix do by themselves: some of it comes at the same time.
    const retried = service.retries ? away.filter((_, index) => index % 10 < 1) : []
    const retrying = standIn.send(retried, { again: true, at: () => Date.now() / 1000 })
    const isDone = async () => Number((await query('SELECT at FROM cursors'))[0].at) > on
    const killed = []
    while (runs < MOST_RUNS && !(await isDone())) {
      const command = startCommand()
      runs += 1
      if (runs === 1) {
        await inTheMiddle(service, { standIn, missed, count, before: await count() })
        killed.push(await command.stop('SIGKILL'), await receiver.stop('SIGKILL'))
        receiver = await startReceiver()
      }
      await command.ended
      await standIn.idle()
    }
    await retrying
    const { GET, POST } = standIn.asked
    await setCursor(now - Math.min(RETENTION, service.kept) - 60)
    const { code, stderr } = await startCommand().ended
    const isRefused =
      code === 1 &&
      stderr.includes(`${service.name}: nobody can say any more what is missing since`) &&
      standIn.asked.GET + standIn.asked.POST === GET + POST

    const effects = await query('SELECT id, count(*)::int AS times FROM paid GROUP BY id')
    return {
      sent: stream.length,
      missed,
      lost: stream.filter(({ id }) => !effects.some((effect) => effect.id === id)).length,
      twice: effects.filter(({ times }) => times > 1).length,
      runs,
      kills: killed.filter(({ signal }) => signal === 'SIGKILL').length,
      isRefused,
    }
  })
}

/** Until a part of what is missing has been handled, or asked for. */
async function inTheMiddle({ asksFor }, { standIn, missed, count, before }) {
  if (asksFor === undefined) {
    while ((await count()) < before + missed / 4) await delay(20)
    return
  }
  const most = asksFor(missed)
  while (standIn.asked.POST < most) await new Promise((resolve) => (standIn.onAsked = resolve))
}

/** The blocks of the guide as files, a database, the service, and what starts the processes. */
async function prepare(service, stream, onEnd) {
  // Inside the checkout, whose packages they import.
  const folder = temporaryFolder(join(BREAK, '.missed-'), onEnd)
  const url = await createDatabase(onEnd)
  const query = (text, values) => queryPostgres(text, values, url)
  await migrate(query)
  await query('CREATE TABLE paid (id text)')

  const [port] = await freePorts(1)
  const standIn = new StandIn(service, stream, port)
  const api = await standIn.open()
  onEnd(() => standIn.close())
  await writeFiles(folder, service, api)

  const tsx = ['--import', import.meta.resolve('tsx')]
  const env = { DATABASE_URL: url, ...service.env(api) }
  return {
    standIn,
    query,
    startCommand() {
      const file = join(folder, `${service.name}.ts`)
      const command = startProgram(process.execPath, [...tsx, file], { cwd: folder, env })
      onEnd(() => command.stop('SIGKILL'))
      return command
    },
    async startReceiver() {
      const args = [RECEIVER, join(folder, 'webhooks.ts'), service.secret, service.name]
      const receiver = await startApplication([...tsx, ...args], { cwd: folder, env, port })
      onEnd(() => receiver.stop('SIGKILL'))
      return receiver
    },
  }
}

async function writeFiles(folder, service, api) {
  const page = readFileSync(GUIDE, 'utf8')
  const own = `${service.name}.ts`
  const files = {
    'package.json': '{ "type": "module" }',
    'webhooks.ts': changedBlock(page, 'webhooks.ts', [["'invoice.paid'", `'${service.event}'`]]),
    'cursor.ts': changedBlock(page, 'cursor.ts'),
    [own]: changedBlock(page, own, service.change ? [service.change(api)] : []),
  }
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
}
