import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { CreatedWebhook } from '@webhook-receiver/client'
import { expect, it } from 'vitest'
import { writeCreated } from '../src/register/report.ts'
import { folder } from './folder.ts'
import { invoke } from './invoke.ts'

const NESTED = `${'['.repeat(200_000)}${']'.repeat(200_000)}`

it.each([
  ['send message.read http://127.0.0.1:9/ --data-file FILE', `{"a":${NESTED}}`, 'too deep'],
])('says what is wrong with what is nested too deep: %s', async (line, text, message) => {
  const path = join(await folder(), 'nested')
  await writeFile(path, text)
  const args = line.split(' ').map((word) => ({ FILE: path, TEXT: text })[word] ?? word)
  expect(await invoke(args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
})

it.each([true, undefined] as const)(
  'register prints the secret of a webhook whose record is nested too deep, JSON: %s',
  (json) => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    const webhook = {
      secret: 'whsec_x',
      record: { a: JSON.parse(NESTED) },
    } as unknown as CreatedWebhook
    const created = { url: 'https://x/', webhook, path: undefined, problem: undefined }
    const { signal } = new AbortController()
    const context = { env: {}, signal, now: Date.now, stdin, stdout, stderr }
    writeCreated(created, { json, showSecret: true }, context)
    expect(stdout.read().toString()).toMatch(/(?=.*whsec_x).*"nested too deep to be shown"/s)
  },
)
