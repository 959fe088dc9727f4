import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { CreatedWebhook } from '@webhook-receiver/client'
import { expect, it } from 'vitest'
import { writeCreated } from '../src/register/report.ts'
import { folder } from './folder.ts'
import { invoke } from './invoke.ts'

const NESTED = `${'['.repeat(200_000)}${']'.repeat(200_000)}`

async function file(text: string): Promise<string> {
  const path = join(await folder(), 'nested')
  await writeFile(path, text)
  return path
}

it('send says that its data is nested too deep: 2', async () => {
  const args = ['send', 'message.read', 'http://127.0.0.1:9/', '--data-file']
  const { code, err } = await invoke([...args, await file(`{"a":${NESTED}}`)])
  expect(code).toBe(2)
  expect(err).toContain('--data-file is nested too deep: make it flatter.')
})

it('doctor says that its data is nested too deep: 2', async () => {
  const args = ['doctor', 'http://127.0.0.1:9/', '--data', `{"a":${NESTED}}`]
  const { code, err } = await invoke(args)
  expect(code).toBe(2)
  expect(err).toContain('--data is nested too deep: make it flatter.')
})

it.each([
  [`[[${NESTED},"x"]]`, 'the name of a header is not a string'],
  [`{"a":${NESTED}}`, 'the value of "a" is not a string'],
])('verify says what is wrong with nested headers: 2', async (text, message) => {
  const path = await file(text)
  const { code, err } = await invoke(['verify', '--headers', path, '--body', path])
  expect(code).toBe(2)
  expect(err).toContain(message)
})

it.each([true, undefined] as const)(
  'register prints the secret of a webhook whose record is nested too deep, JSON: %s',
  (json) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const webhook = {
      secret: 'whsec_x',
      record: { a: JSON.parse(NESTED) },
    } as unknown as CreatedWebhook
    const created = {
      url: 'https://x/',
      webhook,
      stored: { path: undefined, problem: undefined },
    }
    const circumstances = { env: {}, signal: new AbortController().signal, now: Date.now }
    const context = { ...circumstances, stdin: new PassThrough(), stdout, stderr }
    writeCreated(created, { json, showSecret: true }, context)
    const out = stdout.read().toString()
    expect(out).toContain('whsec_x')
    expect(out).toContain('"nested too deep to be shown"')
  },
)
