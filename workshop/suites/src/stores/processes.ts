import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import type { Claim, DeliveryStore, TransactionalDeliveryStore } from '@webhook-receiver/core'
import { afterAll, describe, expect, test } from 'vitest'

interface ProcessSetup<Transaction> {
  /** A program that calls `contend` of checks. */
  readonly program: string
  /** Where its processes find the database. */
  settings(): object
  /** A store on the same database, in this process. */
  store(): DeliveryStore
  /**
   * How many deliveries there are, each in 20 copies.
   * @default 1000
   */
  readonly ids?: number
  /** With a transactional store too. */
  readonly transactions?: TransactionalProcesses<Transaction>
}

interface TransactionalProcesses<Transaction> {
  store(): TransactionalDeliveryStore<Transaction>
  effect(key: string, transaction: Transaction): unknown
  /** How many effects there are of the keys that begin so. */
  effectsOf(prefix: string): number | Promise<number>
  /** Expects what a copy gets while a process holds the transaction. */
  expectHeld(copy: Claim | Promise<Claim>): Promise<void>
}

/** Tests a store with several processes, which are killed at work. */
export function describeProcesses<Transaction>(
  name: string,
  { program, settings, store, ids = 1000, transactions }: ProcessSetup<Transaction>,
): void {
  const { start, go, kill, killAll } = createContenders(program)
  afterAll(killAll)

  /** Starts a process that receives one delivery, and hangs in its handler or behind COMMIT. */
  const startOne = (mode: 'lease' | 'transaction', fate: 'hang' | 'hang after commit') =>
    start({ ...settings(), ids: 1, copies: 1, mode, fate })

  describe(`${name}, with several processes`, { timeout: 300_000 }, () => {
    test.each(transactions ? (['lease', 'transaction'] as const) : (['lease'] as const))(
      `handle ${ids} deliveries once each, of 20 copies at once, by %s`,
      async (mode) => {
        const asked = { ...settings(), ids, copies: 10, mode }
        const processes = await Promise.all([start(asked), start(asked)])
        const results = await Promise.all(processes.map(go))
        const won = results.flatMap((result) => Object(result).won)
        expect([won.length, new Set(won).size]).toEqual([ids, ids])
        if (transactions) expect(await transactions.effectsOf(`${mode} `)).toBe(ids)
      },
    )

    test('a process that is killed with a lease leaves the delivery to the next, when it is over', async () => {
      const child = await startOne('lease', 'hang')
      const key = 'lease hang 0'
      const started = performance.now()
      expect(await go(child)).toEqual({ effect: key })
      await kill(child)
      await expect.poll(() => store().claim(key, 'next', 60)).toEqual({ status: 'claimed' })
      // It was claimed for a second.
      expect(performance.now() - started).toBeGreaterThan(980)
    })

    if (!transactions) return
    const { effect, effectsOf, expectHeld } = transactions

    test('a process that is killed before COMMIT leaves neither effect nor mark', async () => {
      const child = await startOne('transaction', 'hang')
      const key = 'transaction hang 0'
      expect(await go(child)).toEqual({ effect: key })
      const held = transactions.store()
      await expectHeld(held.transact(key, () => expect.unreachable()))
      await kill(child)
      expect(await effectsOf(key)).toBe(0)
      const retry = () =>
        held.transact(key, async (transaction) => void (await effect(key, transaction)))
      await expect.poll(retry).toEqual({ status: 'claimed' })
      expect(await effectsOf(key)).toBe(1)
    })

    test('a process that is killed after COMMIT leaves both', async () => {
      const child = await startOne('transaction', 'hang after commit')
      const key = 'transaction hang after commit 0'
      expect(await go(child)).toEqual({ won: [key] })
      await kill(child)
      expect(await effectsOf(key)).toBe(1)
      const copy = transactions.store().transact(key, () => expect.unreachable())
      expect(await copy).toEqual({ status: 'done' })
    })
  })
}

interface ContenderSettings {
  readonly ids: number
  readonly copies: number
  readonly mode: 'lease' | 'transaction'
  readonly fate?: 'hang' | 'hang after commit'
  /** Where its store is: what `program` needs. */
  readonly [name: string]: unknown
}

interface Contenders {
  start(settings: ContenderSettings): Promise<ChildProcess>
  go(child: ChildProcess): Promise<unknown>
  kill(child: ChildProcess): Promise<void>
  killAll(): Promise<void>
}

/** Several processes that receive the same deliveries. Each runs `program`, a TypeScript file that calls `contend`. */
export function createContenders(program: string): Contenders {
  const children: ChildProcess[] = []

  /** Starts one, and resolves when it is ready. */
  async function start(settings: ContenderSettings): Promise<ChildProcess> {
    const child = fork(program, [JSON.stringify(settings)], {
      execArgv: ['--import', 'tsx'],
      cwd: dirname(program),
    })
    children.push(child)
    if (!Object(await reply(child)).ready) throw new Error('A contender did not start.')
    return child
  }

  /** Lets it receive. Resolves to what it tells. */
  function go(child: ChildProcess): Promise<unknown> {
    const replied = reply(child)
    child.send('go')
    return replied
  }

  /** Fails where the process ended by itself: a test has to catch it at work. */
  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit')
    if (!child.kill('SIGKILL')) throw new Error('A contender had ended before it was killed.')
    const [code, signal] = await ended
    if (signal !== 'SIGKILL') throw new Error(`A contender ended with ${code}.`)
  }

  async function killAll(): Promise<void> {
    const running = children.filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)
    await Promise.all(running.map(kill))
  }

  return { start, go, kill, killAll }
}

async function reply(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => ['the process ended without a response'])
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message
}
