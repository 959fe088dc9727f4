import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import { redisStore } from '../src/index.ts'
import { prefix, REDIS_URL, redisAnswers, removeKeys } from './server.ts'

const children: ChildProcess[] = []

/** Starts a process that receives `copies` of each of `ids` deliveries. */
async function start(test: string, ids: number, copies: number, fate = ''): Promise<ChildProcess> {
  const child = fork(
    join(import.meta.dirname, 'contender.ts'),
    [REDIS_URL, prefix + test, String(ids), String(copies), fate],
    { execArgv: ['--import', 'tsx'], cwd: join(import.meta.dirname, '..') },
  )
  children.push(child)
  await once(child, 'message')
  return child
}

async function go(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => ['the process ended without an answer'])
  const answer = once(child, 'message')
  child.send('go')
  return (await Promise.race([answer, ended]))[0]
}

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await removeKeys()
})

describe.skipIf(!redisAnswers)('several processes on one Redis', { timeout: 60_000 }, () => {
  test('handle 1,000 deliveries once each, of 20 copies at once', async () => {
    const processes = await Promise.all([start('once', 1000, 10), start('once', 1000, 10)])
    const answers = (await Promise.all(processes.map(go))) as { won: number[] }[]
    const won = answers.flatMap((answer) => answer.won)
    expect(won).toHaveLength(1000)
    expect(new Set(won).size).toBe(1000)
  })

  test('a process that is killed inside its handler leaves the delivery to the next, when its lease is over', async () => {
    const child = await start('killed', 1, 1, 'hang')
    expect(await go(child)).toEqual({ effect: 0 })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const redis = new Redis(REDIS_URL)
    const store = redisStore({
      send: (command) => redis.call(...command),
      prefix: `${prefix}killed`,
    })
    const claim = await store.claim('id-0', 'next', 60)
    expect(claim.status).toBe('in_progress')
    const retry = () => store.claim('id-0', 'next', 60)
    await expect.poll(retry, { timeout: 3000 }).toEqual({ status: 'claimed' })
    await redis.quit()
  })
})
