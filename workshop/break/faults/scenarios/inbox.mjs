import { cpSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { compileExample, copyExample } from '@webhook-receiver/checks/example.mjs'
import { queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { startApplication, startProgram } from '@webhook-receiver/checks/program.mjs'
import { temporaryFolder } from '@webhook-receiver/checks/runs.mjs'
import { postgresServer } from '@webhook-receiver/checks/servers.mjs'
import { createSender } from '../engine/sender.mjs'

const EXAMPLE = 'postgres-inbox'
const HANDLERS = fileURLToPath(new URL('../inbox/handlers.mjs', import.meta.url))

/** A kill in the middle of a handler counts as an attempt, and what is dead has no effect. */
const CHANGES = [['inbox.ts', 'attempts: 5', 'attempts: 1000']]

/** Of the control, which responds first and stores a moment later. */
const NAIVE = [
  'server.ts',
  "inbox.receive('messages')",
  "(...given) => void setTimeout(() => inbox.receive('messages')(...given).catch(() => {}), 100)",
]

const EFFECTS = `CREATE TABLE effects (
  position bigint GENERATED ALWAYS AS IDENTITY, id text, conversation text, number integer
)`

/** How long the worker may take for the next of what is left when all is sent, in milliseconds. */
const DRAINED = 600_000

/** The server and the worker of the example, beside `backOff` keys that wait for their next attempt. */
export async function inboxScenario({ isControl, backOff = 0, secret, port }, onEnd) {
  const backend = await postgresServer()
  onEnd(backend.remove)
  await backend.start()
  const query = (text) => queryPostgres(text, [], backend.url)
  await query(EFFECTS)
  const cwd = temporaryFolder(join(tmpdir(), 'inbox-'), onEnd)
  install(cwd, isControl ? [...CHANGES, NAIVE] : CHANGES)
  const env = { DATABASE_URL: backend.url }
  const server = () => startApplication(['server.js'], { cwd, secret, port, env })
  const worker = async () => {
    const program = startProgram(process.execPath, ['worker.js'], { cwd, env })
    await program.printed(/^Waiting for /m)
    return program
  }
  const waiting = async () =>
    (await query('SELECT count(*)::integer FROM webhook_inbox_open'))[0].count
  if (backOff > 0) await fill()
  return {
    version: backend.version,
    isControl,
    conversations: 50,
    lease: 0,
    // A worker gets time to take over.
    programs: [
      { start: server, lives: [150, 1000] },
      { start: worker, lives: [500, 3000] },
    ],
    drained,
    effects: () => query('SELECT id, conversation, number FROM effects ORDER BY position'),
    async broken() {
      const gone = backOff > 0 ? backOff - (await waiting()) : 0
      return gone > 0 ? [`${gone} of ${backOff} in back-off are gone`] : []
    },
  }

  /** Stores deliveries that fail in every attempt, each under another key. */
  async function fill() {
    const filling = await server()
    const { deliver } = createSender({ secret, port, random: Math.random })
    const keys = Array.from({ length: backOff }, (_, at) => `back-off-${at}`)
    await Promise.all(keys.map((key) => deliver(key, 1, { instanceId: key })))
    await filling.stop('SIGKILL')
    // As after ten attempts that failed.
    await query(
      "UPDATE webhook_inbox_open SET attempts = 10, due = now() + random() * interval '10 minutes'",
    )
  }

  async function drained() {
    let end = Date.now() + DRAINED
    let least = Number.POSITIVE_INFINITY
    while (least > backOff) {
      const left = await waiting()
      if (left < least) end = Date.now() + DRAINED
      least = Math.min(least, left)
      if (Date.now() > end) throw new Error(`${left} jobs are stuck.`)
      await delay(500)
    }
  }
}

/** A copy of the example that runs as plain JavaScript, with handlers of ours. */
function install(copy, changes) {
  copyExample(EXAMPLE, copy, (source, file) =>
    changes
      .filter(([name]) => name === file)
      .reduce((text, [, from, to]) => {
        if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`)
        return text.replace(from, to)
      }, source),
  )
  compileExample(copy)
  cpSync(HANDLERS, join(copy, 'handlers.js'))
}
