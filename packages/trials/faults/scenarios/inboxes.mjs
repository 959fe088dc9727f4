import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { compileExample, copyExample } from '@webhook-receiver/checks/example.mjs'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { startApplication, startProgram } from '@webhook-receiver/checks/program.mjs'
import { seeded } from '../../random.mjs'
import { createSender } from '../engine/sender.mjs'
import { changed, INBOXES } from '../inbox/inboxes.mjs'

const FILES = fileURLToPath(new URL('../inbox/', import.meta.url))

/** Of the deliveries this share is sent twice at once, and of the runs of a handler this share throws. */
const TWICE = 0.3
const FAILURES = 0.02

/** A handler works up to so many milliseconds before its effect, and again after it. */
const DWELL = 4

/** Requests at the same moment. */
const IN_FLIGHT = 24

/** How long a server and a worker live after they are ready, in milliseconds. A worker gets time to take over. */
const LIVES = { server: [150, 1000], worker: [500, 3000] }

/** After how long without any change the worker is taken for stuck, in milliseconds. */
const STUCK = 180_000

/** Kills the server and the worker of an example again and again, then cures what fails and redrives the dead letters. */
export async function runInboxes(
  { name, inbox, naive, deliveries, conversations, poison, kills: most, seed },
  onEnd,
) {
  const { example, variable, startServer, changes, ...control } = INBOXES[inbox]
  const backend = await startServer()
  onEnd(backend.remove)
  await backend.start()
  await control.prepare(backend.url)
  const folder = mkdtempSync(join(tmpdir(), 'inbox-'))
  onEnd(() => rmSync(folder, { recursive: true }))
  const cwd = install(folder, example, inbox, naive ? [...changes, ...control.naive] : changes)

  const secret = `whsec_${randomUUID()}`
  const journal = join(folder, 'journal')
  const [port] = await freePorts(1)
  const env = {
    ...{ [variable]: backend.url, JOURNAL: journal, FAILURES, DWELL },
    ...(naive && { NAIVE: 'yes' }),
  }
  const start = {
    server: () => startApplication(['server.js'], { cwd, secret, port, env }),
    async worker(more = {}) {
      const options = { cwd, env: { ...env, ...more } }
      const worker = startProgram(process.execPath, ['worker.js'], options)
      await worker.printed(/^Waiting for /m)
      return worker
    },
  }
  const alive = { server: await start.server(), worker: await start.worker() }
  onEnd(() => Promise.all(Object.values(alive).map((program) => program.stop('SIGKILL'))))

  const random = seeded(seed)
  const sender = createSender({ secret, random: seeded(seed + 2), inFlight: IN_FLIGHT })
  const plan = planOf({ deliveries, conversations, poison, seed })
  const started = performance.now()
  const kills = { server: 0, worker: 0 }
  const killed = () => kills.server + kills.worker
  let begun = 0
  let done = 0
  let over = false
  const killing = Object.keys(alive).map((role, index) => killAll(role, (most + index) >> 1))
  const failed = Promise.all(killing).then(() => new Promise(() => {}))
  failed.catch(() => {})
  const sending = Promise.all(plan.map(sendConversation))
  await Promise.race([sending, failed])
  over = true
  await Promise.all(killing)
  await drained()
  const seconds = Math.round((performance.now() - started) / 1000)

  const before = judge(plan.flat(), await control.effects(backend.url))
  const deadLetters = await listDeadLetters()
  const runs = linesOf(readFileSync(journal, 'utf8')).length
  await alive.worker.stop()
  alive.worker = await start.worker({ CURED: 'yes', FAILURES: 0 })
  await listDeadLetters('redrive')
  await drained()
  const after = judge(plan.flat(), await control.effects(backend.url))
  const left = await listDeadLetters()

  const { counts, abandoned } = sender
  const healthy = deliveries - poison
  const checks = [
    [abandoned.length > 0, `${abandoned.length} deliveries were never acknowledged`],
    [counts.rejected > 0, `${counts.rejected} requests were rejected`],
    [killed() !== most, `${killed()} kills`],
    ...(naive
      ? [
          [after.lost === 0, 'the control lost nothing, so the kills prove nothing'],
          [before.misplaced === 0, 'the control kept the order, so the failures prove nothing'],
        ]
      : [
          [before.distinct !== healthy, `${healthy - before.distinct} were not handled`],
          [after.lost > 0, `${after.lost} are lost`],
          [after.twice > 0, `${after.twice} effects happened twice`],
          [before.misplaced > 0, `${before.misplaced} were handled out of order`],
          [deadLetters !== poison, `${deadLetters} dead letters`],
          [left !== 0, `${left} dead letters after the redrive`],
        ]),
  ]
  return {
    version: backend.version,
    figures: {
      inbox: name,
      deliveries,
      conversations,
      poison,
      kills: killed(),
      seconds,
      requests: counts.requests,
      '2xx': counts['2xx'],
      '500 or 503': counts['HTTP 500'] + counts['HTTP 503'],
      'cut off': counts['cut off'],
      'handler runs': runs,
      effects: before.distinct,
      'out of order': before.misplaced,
      'dead letters': deadLetters,
      lost: after.lost,
      twice: after.twice,
      'dead letters after redrive': left,
    },
    violations: checks.flatMap(([wrong, how]) => (wrong ? [`${name}: ${how}`] : [])),
  }

  /** One after another: the order of a conversation is the order in which its deliveries were acknowledged. */
  async function sendConversation(planned) {
    for (const { id, conversation, ...data } of planned) {
      const index = begun++
      while (killed() < Math.floor((index / deliveries) * (most + 1))) await delay(100)
      const copies = random() < TWICE ? 2 : 1
      await sender.deliver(id, [port], copies, { instanceId: conversation, data })
      if (++done % 1000 === 0) {
        console.error(`${name}: ${done} of ${deliveries} sent, ${killed()} kills`)
      }
    }
  }

  /** As many kills as the others need to be through, in step with what is sent. */
  async function killAll(role, share) {
    const [least, longest] = LIVES[role]
    const ended = () =>
      alive[role].ended.then(({ code, signal, stderr }) => {
        throw new Error(`The ${role} ended by itself (${signal ?? code}): ${stderr.slice(-2000)}`)
      })
    while (kills[role] < share) {
      const life = delay(least + random() * (longest - least))
      await Promise.race([life, ended()])
      const due = () => over || done >= Math.floor((kills[role] / (share + 1)) * deliveries)
      while (!due()) await Promise.race([delay(20), ended()])
      await alive[role].stop('SIGKILL')
      kills[role]++
      alive[role] = await start[role]()
    }
  }

  async function drained() {
    let last
    let since = Date.now()
    for (;;) {
      const waiting = await control.waiting(backend.url)
      if (waiting === 0) return
      if (waiting !== last) since = Date.now()
      last = waiting
      if (Date.now() - since > STUCK) {
        throw new Error(`${waiting} jobs are stuck:\n${alive.worker.output().stderr.slice(-2000)}`)
      }
      await delay(500)
    }
  }

  async function listDeadLetters(...args) {
    const program = startProgram(process.execPath, ['dead-letters.js', ...args], { cwd, env })
    const { code, stdout, stderr } = await program.ended
    if (code !== 0) throw new Error(`dead-letters ended with ${code}: ${stderr}`)
    return linesOf(stdout).length
  }
}

/** A copy of the example that runs as plain JavaScript, with handlers of ours. */
function install(folder, example, inbox, changes) {
  const copy = mkdtempSync(join(folder, 'copy-'))
  copyExample(example, copy, (source, file) => changed(source, file, changes))
  compileExample(copy)
  cpSync(join(FILES, 'behaviour.mjs'), join(copy, 'behaviour.mjs'))
  cpSync(join(FILES, `${inbox}-handlers.mjs`), join(copy, 'handlers.js'))
  return copy
}

/** The deliveries of each conversation. Poison ones are in different conversations, and have others behind them. */
function planOf({ deliveries, conversations, poison, seed }) {
  const plan = Array.from({ length: conversations }, () => [])
  for (let index = 0; index < deliveries; index++) {
    const planned = plan[index % conversations]
    const number = planned.length
    const conversation = `instance-${index % conversations}`
    const id = `inbox-${seed}-${index}`
    planned.push({ id, conversation, number, poison: false })
  }
  for (let index = 0; index < poison; index++) {
    const planned = plan[Math.floor((index / poison) * conversations)]
    planned[Math.floor(planned.length / 2)].poison = true
  }
  return plan
}

/** Compares the effects, in their order, with what was acknowledged. `misplaced` leaves the poison ones out. */
function judge(planned, effects) {
  const poison = new Set(planned.filter((delivery) => delivery.poison).map(({ id }) => id))
  const seen = new Set()
  const last = new Map()
  let misplaced = 0
  for (const { id, conversation, number } of effects) {
    if (seen.has(id)) continue
    seen.add(id)
    if (poison.has(id)) continue
    if (number < (last.get(conversation) ?? -1)) misplaced++
    else last.set(conversation, number)
  }
  return {
    distinct: seen.size,
    lost: planned.filter(({ id }) => !seen.has(id)).length,
    twice: effects.length - seen.size,
    misplaced,
  }
}

function linesOf(text) {
  return text.split('\n').filter((line) => line !== '')
}
