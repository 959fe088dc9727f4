import { memoryStore } from '@webhook-receiver/core'
import { describe, expect, test } from 'vitest'
import { describeStore, runStoreChecks } from '../src/index.ts'
import { storeChecks } from '../src/store/checks.ts'
import type { CreateStore, StoreSetup } from '../src/store/context.ts'
import { runStoreCheck } from '../src/store/suite.ts'
import {
  CheckThenSet,
  DoneAtOnce,
  ForgetsClaims,
  HeaderKey,
  NoLease,
  NoRelease,
  NoToken,
  PlainStore,
} from './wrong-stores.ts'

describeStore('memory store', memoryStore, { lease: 0.2 })

const shared = new PlainStore()
describeStore(
  'a store that two processes share',
  (setup) => (setup.retention === undefined ? shared : new PlainStore(setup)),
  { shared: true, lease: 0.2 },
)

describe('the checks find a store that', () => {
  test.each([
    ['asks and then sets', CheckThenSet, 'gives a free key to exactly one of 20'],
    ['calls a claim done', DoneAtOnce, 'gives a free key to exactly one of 20'],
    ['has no token', NoToken, 'lets nobody but the owner complete, release or extend'],
    ['has no lease', NoLease, 'gives the key to the next when the lease has run out'],
    ['has no release', NoRelease, 'gives the key to the next after release'],
    ['forgets claims', ForgetsClaims, 'forgets a done mark, but no claim'],
    ['goes by the header', HeaderKey, 'returns done after complete'],
  ])('%s', async (_what, Wrong, name) => {
    const checks = storeChecks.filter((check) => check.name.startsWith(name))
    const create: CreateStore = (setup) => new Wrong(setup)
    const results = checks.map((check) =>
      runStoreCheck(check, create, {
        lease: 0.2,
        margin: 0.5,
        keys: 10,
        shared: Wrong === CheckThenSet,
      }),
    )
    expect(await Promise.all(results)).toMatchObject([{ problem: expect.any(String) }])
  })

  test('rejects', async () => {
    const failing = async () => {
      throw new Error('down')
    }
    const [claim, complete, release, extend, forget] = Array(5).fill(failing)
    const store = { claim, complete, release, extend, forget }
    const results = await runStoreChecks(() => store)
    expect(new Set(results.map(({ problem }) => problem))).toEqual(new Set(['down']))
  })

  test('fails every check if each call succeeds', async () => {
    const store = {
      claim: async () => ({ status: 'claimed' }) as const,
      complete: async () => true,
      release: async () => true,
      extend: async () => true,
      forget: async () => true,
    }
    const results = await runStoreChecks(() => store, { lease: 0.2, margin: 0.2, keys: 10 })
    expect(results.filter(({ problem }) => problem === undefined)).toEqual([])
  })
})

test('every store that was made is closed, also after a failure', async () => {
  const open = new Set<PlainStore>()
  const create = (setup: StoreSetup) => {
    const store = new NoLease(setup)
    open.add(store)
    return store
  }
  const close = (store: PlainStore) => open.delete(store)
  const check = {
    name: 'fails',
    run: async ({ retaining }: { retaining(retention: number): Promise<unknown> }) => {
      await retaining(5)
      expect(open.size).toBe(3)
      throw 'no error'
    },
  }
  expect(await runStoreCheck(check, create, { shared: true, close })).toEqual({
    name: 'fails',
    problem: 'no error',
  })
  expect(open.size).toBe(0)
})

test('a check that fails while the machine stands still is run again', async () => {
  let runs = 0
  const run = async () => {
    if (++runs > 2) return
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    throw new Error('too late')
  }
  const result = await runStoreCheck({ name: 'slow', run }, () => new PlainStore({}))
  expect([result, runs]).toEqual([{ name: 'slow', problem: undefined }, 3])
})
