import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { serving } from '@webhook-receiver/checks/serving.mjs'
import { expect, onTestFinished, test } from 'vitest'
import { listKept, openKept } from '../src/internal.ts'
import { RIGHT, temporaryFolder, withDeliveries } from './records.ts'

/** Starts a process that waits for a message before it begins. */
async function start(...args: readonly string[]) {
  const env = { ...process.env, WEBHOOK_SECRET: RIGHT }
  const child = fork(join(import.meta.dirname, 'child.mjs'), args, { execArgv: [], env })
  onTestFinished(() => void child.kill('SIGKILL'))
  expect(await message(child)).toBe('ready')
  return child
}

/** Resolves to what a process reports at its end. */
async function result(child: ChildProcess): Promise<unknown> {
  child.send('go')
  return await message(child)
}

async function message(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => ['it ended without a message'])
  return (await Promise.race([once(child, 'message'), ended]))[0]
}

test('two processes keep each request of one folder once, and report it', async () => {
  const folder = await temporaryFolder()
  const children = await Promise.all(['one', 'other'].map((name) => start('keep', folder, name)))
  expect(await Promise.all(children.map(result))).toEqual([1000, 1000])
  const names = await listKept(folder)
  const bodies = await Promise.all(
    names.map(async (name) => Buffer.from((await openKept(folder, name)).body).toString()),
  )
  expect(bodies).toHaveLength(1500)
  expect(new Set(bodies).size).toBe(1500)
  expect(await readdir(join(folder, 'other'))).toHaveLength(1500)
})

/** A server that handles what a redrive sends; `respond` is called with the process that sent it. */
async function receiving(respond: (end: () => void, process: unknown) => unknown) {
  const handled: string[] = []
  const url = await serving(async (req, res) => {
    handled.push(await text(req))
    await respond(() => res.end(), req.headers['x-process'])
  })
  return { url: `${url}/`, handled }
}

test('two redrives at once deliver each of 100 requests once', async () => {
  const { folder, ids } = await withDeliveries(100)
  const senders = new Set<unknown>()
  let bothSend = () => {}
  const both = new Promise<void>((resolve) => {
    bothSend = resolve
  })
  const { url, handled } = await receiving(async (end, process) => {
    if (senders.add(process).size === 2) bothSend()
    // Neither goes on before both have listed the folder.
    await both
    end()
  })
  const children = await Promise.all([0, 1].map(() => start('redrive', folder, url)))
  const outcomes = (await Promise.all(children.map(result))).flat()
  expect(outcomes).toEqual(Array(100).fill('delivered'))
  expect(handled.sort()).toEqual(ids.sort())
  expect(await readdir(join(folder, 'other'))).toEqual([])
})

test('a redrive that is killed behind a delivery loses nothing, and sends only that one again', async () => {
  const { folder, ids } = await withDeliveries(10)
  let killed: ChildProcess | undefined
  const { url, handled } = await receiving((end) => {
    if (killed && handled.length === 4) killed.kill('SIGKILL')
    else end()
  })
  killed = await start('redrive', folder, url)
  killed.send('go')
  expect(await once(killed, 'exit')).toEqual([null, 'SIGKILL'])
  killed = undefined
  const left = await readdir(join(folder, 'other'))
  expect(left.filter((name) => name.endsWith('.claim'))).toHaveLength(1)
  expect(await result(await start('redrive', folder, url))).toEqual(Array(7).fill('delivered'))
  expect(handled.filter((id, index) => handled.indexOf(id) !== index)).toEqual([handled[3]])
  expect([...new Set(handled)].sort()).toEqual(ids.sort())
  expect(await listKept(folder)).toEqual([])
})
