import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { CreatedWebhook } from '@webhook-receiver/client'
import { createEmulator } from '@webhook-receiver/emulator'
import { expect, it, onTestFinished } from 'vitest'
import { writeCreated } from '../src/register/report.ts'
import { folder } from './folder.ts'
import { API_KEY, invoke, words } from './invoke.ts'
import { serving } from './receiver.ts'

const URL_ARGS = ['--url', 'http://localhost:3000/webhooks']
const SECRET_ONCE = 'whsec_sent-once-c4f2'

// `transcripts/register.txt` has what it prints, and what it writes.

it('a file for the secret that is written meanwhile is not changed, and the secret is printed: 1', async () => {
  const directory = await folder()
  const path = join(directory, 'file')
  const url = await serving(async (req, res) => {
    req.resume()
    await writeFile(path, 'somebody else')
    res.writeHead(201, { 'Content-Type': 'application/json' })
    res.end(JSON.stringify({ id: 'wh_1', secret: SECRET_ONCE, note: `do not tell ${SECRET_ONCE}` }))
  })
  const args = words`register ${URL_ARGS} --base-url ${url} --write-secret ${path}`
  const { code, out, err } = await invoke(args)
  expect(code).toBe(1)
  expect(await readFile(path, 'utf8')).toBe('somebody else')
  expect(await readdir(directory)).toEqual(['file'])
  expect(err).toContain(`The secret is: ${SECRET_ONCE}\n`)
  expect(out).not.toContain(SECRET_ONCE)
})

it('registers for the events that are named, newer ones too, with what the environment says', async () => {
  const emulator = createEmulator({ apiKey: API_KEY, extraEvents: ['message.reacted'] })
  await emulator.start()
  onTestFinished(() => emulator.stop())
  const key = join(await folder(), 'key')
  await writeFile(key, `${API_KEY}\n`)
  const events = ['message.read', 'message.reacted']
  const args = ['register', ...URL_ARGS, '--events', events.join(), '--show-secret']
  const env = { WEBHOOK_BASE_URL: emulator.baseUrl, WEBHOOK_API_KEY: undefined }
  const { code, err } = await invoke([...args, '--api-key-file', key], { env, tty: true })
  expect([code, err]).toEqual([0, expect.stringContaining('Registering at 127.0.0.1')])
  expect(emulator.webhooks()[0]?.events).toEqual(events)
})

it.each([true, undefined] as const)(
  'prints the secret of a webhook whose record is nested too deep, JSON: %s',
  (json) => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    const record = { a: JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) }
    const webhook = { secret: SECRET_ONCE, record } as unknown as CreatedWebhook
    const created = { url: 'https://x/', webhook, path: undefined, problem: undefined }
    const { signal } = new AbortController()
    const context = { env: {}, signal, now: Date.now, stdin, stdout, stderr }
    writeCreated(created, { json, showSecret: true }, context)
    expect(String(stdout.read())).toMatch(/(?=.*whsec_sent-once).*"nested too deep to be shown"/s)
  },
)
