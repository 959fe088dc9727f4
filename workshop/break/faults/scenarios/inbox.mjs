import { randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { compileExample, copyExample } from '@webhook-receiver/checks/example.mjs'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { startApplication, startProgram } from '@webhook-receiver/checks/program.mjs'
import { temporaryFolder } from '@webhook-receiver/checks/runs.mjs'
import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { postgresServer } from '@webhook-receiver/checks/servers.mjs'
import { startMortal } from '../engine/programs.mjs'
import { createSender, forEach } from '../engine/sender.mjs'

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

/** Of the deliveries this share is sent twice at once. */
const TWICE = 0.3

/** Requests at the same moment, and conversations, in each of which one delivery is sent behind the other. */
const IN_FLIGHT = 24
const CONVERSATIONS = 50

/** How long a server and a worker live after they are ready, in milliseconds. A worker gets time to take over. */
const LIVES = { server: [150, 1000], worker: [500, 3000] }

/** How long the worker may take for the next of what is left when all is sent, in milliseconds. */
const DRAINED = 600_000

/** Kills the server and the worker of the example again and again, beside `backOff` keys that wait for their next attempt. */
export async function runInbox(run, onEnd) {
  const { name, naive, deliveries, kills: most, backOff = 0, seed } = run
  const backend = await postgresServer()
  onEnd(backend.remove)
  await backend.start()
  const query = (text) => queryPostgres(text, [], backend.url)
  await query(EFFECTS)
  const cwd = temporaryFolder(join(tmpdir(), 'inbox-'), onEnd)
  install(cwd, naive ? [...CHANGES, NAIVE] : CHANGES)
  const waiting = async () =>
    (await query('SELECT count(*)::integer FROM webhook_inbox_open'))[0].count

  const secret = `whsec_${randomUUID()}`
  const [port] = await freePorts(1)
  const env = { DATABASE_URL: backend.url }
  const random = seeded(seed)
  const startServer = () => startApplication(['server.js'], { cwd, secret, port, env })
  if (backOff > 0) await fill()
  const server = await startMortal(startServer, {
    most: most >> 1,
    lives: LIVES.server,
    random,
  })
  onEnd(server.stop)
  const worker = await startMortal(
    async () => {
      const program = startProgram(process.execPath, ['worker.js'], { cwd, env })
      await program.printed(/^Waiting for /m)
      return program
    },
    { most: (most + 1) >> 1, lives: LIVES.worker, random },
  )
  onEnd(worker.stop)
  const killed = () => server.kills + worker.kills

  const sender = createSender({ secret, random: seeded(seed + 2), inFlight: IN_FLIGHT })
  const started = performance.now()
  let begun = 0
  const sending = Promise.all(Array.from({ length: CONVERSATIONS }, (_, at) => converse(at)))
  await Promise.race([sending.then(drained), server.failed, worker.failed])
  const kills = killed()
  const found = judge(
    deliveries,
    await query('SELECT id, conversation, number FROM effects ORDER BY position'),
  )
  const gone = backOff > 0 ? backOff - (await waiting()) : 0
  const { counts, abandoned } = sender
  const checks = [
    [abandoned.length > 0, `${abandoned.length} deliveries were never acknowledged`],
    [counts.rejected > 0, `${counts.rejected} requests were rejected`],
    ...(naive
      ? [[found.lost === 0, 'the control lost nothing, so the kills prove nothing']]
      : [
          [found.lost > 0, `${found.lost} are lost`],
          [found.twice > 0, `${found.twice} effects happened twice`],
          [gone > 0, `${gone} of ${backOff} in back-off are gone`],
          [found.misplaced > 0, `${found.misplaced} were handled out of order`],
        ]),
  ]
  return {
    ...{ name, version: backend.version },
    figures: {
      ...{ inbox: name, deliveries, kills, 'in back-off': backOff },
      seconds: Math.round((performance.now() - started) / 1000),
      ...counts,
      ...{ lost: found.lost, twice: found.twice, 'out of order': found.misplaced },
    },
    violations: checks.flatMap(([broken, how]) => (broken ? [how] : [])),
  }

  /** Stores deliveries that fail in every attempt, each under another key. */
  async function fill() {
    const filling = await startServer()
    const { deliver } = createSender({ secret, random, inFlight: IN_FLIGHT })
    await forEach(Array.from({ length: backOff }), IN_FLIGHT, (_, at) =>
      deliver(`back-off-${at}`, [port], 1, { instanceId: `back-off-${at}` }),
    )
    await filling.stop('SIGKILL')
    // As after ten attempts that failed.
    await query(
      "UPDATE webhook_inbox_open SET attempts = 10, due = now() + random() * interval '10 minutes'",
    )
  }

  /** One after another: the order of a conversation is the order in which its deliveries were acknowledged. */
  async function converse(at) {
    for (let number = at; number < deliveries; number += CONVERSATIONS) {
      const index = begun++
      // The kills are spread over the whole run.
      while (killed() < Math.floor((index / deliveries) * (most + 1))) await delay(100)
      const sample = { instanceId: `instance-${at}`, data: { number } }
      await sender.deliver(`inbox-${number}`, [port], random() < TWICE ? 2 : 1, sample)
      if (index % 1000 === 999)
        console.error(`${name}: ${index + 1} of ${deliveries}, ${killed()} kills`)
    }
  }

  async function drained() {
    let end = Date.now() + DRAINED
    let least = Number.POSITIVE_INFINITY
    while (killed() < most || least > backOff) {
      const left = await waiting()
      if (left < least) end = Date.now() + DRAINED
      least = Math.min(least, left)
      if (Date.now() > end)
        throw new Error(`Jobs are stuck:\n${worker.output().stderr.slice(-2000)}`)
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

/** Compares the effects, in their order, with what was acknowledged. */
function judge(deliveries, effects) {
  const seen = new Set()
  const last = new Map()
  let misplaced = 0
  for (const { id, conversation, number } of effects) {
    if (seen.has(id)) continue
    seen.add(id)
    if (number < (last.get(conversation) ?? -1)) misplaced++
    else last.set(conversation, number)
  }
  return { lost: deliveries - seen.size, twice: effects.length - seen.size, misplaced }
}
