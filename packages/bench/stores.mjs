import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { memoryStore } from '@webhook-receiver/core'
import { BACKENDS } from './backends.mjs'
import { memoryInUse } from './memory.mjs'
import { interleaved, relative } from './statistics.mjs'

/** A checkout that is built, with whose stores those of this one are compared. */
const { BEFORE, BACKEND } = process.env

/**
 * The deliveries a second with each store, against the least code with the same promise, by one process and by four; and what a
 * million ids take of the memory store.
 */
export async function measure(rounds) {
  const rows = BACKEND ? [] : [await heapOfMemoryStore()]
  for (const name of Object.keys(BACKENDS).filter((backend) => backend.includes(BACKEND ?? ''))) {
    for (const processes of name.endsWith('memory') ? [1] : [1, 4]) {
      console.error(`stores: ${name}, ${processes} …`)
      const results = await speedOf(name, processes, rounds).catch(({ message }) => ({
        'not measured': message,
      }))
      const text = Object.entries(results).map(([subject, result]) => `${subject} ${result}`)
      const count = processes === 1 ? 'one process' : `${processes} processes`
      rows.push([`store: ${name}, ${count}`, 'hand-written, deliveries a second', text.join('; ')])
    }
  }
  return rows
}

async function speedOf(backend, processes, rounds) {
  const table = `webhook_receiver_bench_${process.pid}_${processes}`
  const workers = []
  for (let number = 0; number < processes; number++) {
    const args = [backend, table, ...(BEFORE ? [BEFORE] : [])]
    workers.push(fork(new URL('store-worker.mjs', import.meta.url), args))
    await replyOf(workers.at(-1))
  }
  const ask = (question) =>
    Promise.all(
      workers.map((worker) => {
        const replied = replyOf(worker)
        worker.send(question)
        return replied
      }),
    )
  const run = async (subject, deliveries) => {
    const before = performance.now()
    await ask({ subject, deliveries })
    return deliveries / (performance.now() - before)
  }
  try {
    // So many that one sample takes some 0.4 s.
    await run('plain', 100)
    const deliveries = Math.ceil((await run('plain', 200)) * 400)
    const subject = (name) => () => run(name, deliveries)
    const subjects = {
      plain: subject('plain'),
      control: subject('plain'),
      store: subject('store'),
      ...(BEFORE && { before: subject('before') }),
    }
    const samples = await interleaved(subjects, rounds, 2)
    const names = BEFORE ? ['store', 'before'] : ['store']
    return Object.fromEntries(names.map((name) => [name, relative(samples, name)]))
  } finally {
    await ask({}).catch(() => {})
    for (const worker of workers) worker.kill()
    for (const end of ['', '-wal', '-shm']) rmSync(`/tmp/${table}.db${end}`, { force: true })
  }
}

async function replyOf(worker) {
  const [reply] = await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(([code]) => Promise.reject(new Error(`it ended with ${code}`))),
  ])
  return reply
}

/** What `maxEntries` of memoryStore promises, in bytes. */
const BOUND = 300

async function heapOfMemoryStore() {
  const ids = 1_000_000
  const store = memoryStore({ maxEntries: ids })
  const before = memoryInUse().heap
  const fill = async (count) => {
    for (let filled = 0; filled < count; filled++) {
      const key = JSON.parse(JSON.stringify(`default:${randomUUID()}`))
      const token = randomUUID()
      await store.claim(key, token, 30)
      await store.complete(key, token)
    }
    return Math.round((memoryInUse().heap - before) / ids)
  }
  const each = await fill(ids)
  // The table grows once more while others take the places of some.
  const most = await fill(ids / 10)
  // Used once more, so that it is not collected before.
  await store.release('any', 'token')
  if (most > BOUND) throw new Error(`An id of the memory store takes ${most} B: too much.`)
  return [`heap for each of ${ids.toLocaleString('en')} ids in the memory store`, '', `${each} B`]
}
