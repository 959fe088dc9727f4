import { lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { CreatedWebhook } from '@webhook-receiver/client'
import { createEmulator } from '@webhook-receiver/emulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeCreated } from '../src/register/report.ts'
import { folder } from './folder.ts'
import { API_KEY, invoke } from './invoke.ts'
import { respondingWith, serving } from './receiver.ts'

const URL_ARGS = ['--url', 'http://localhost:3000/webhooks']

async function service(...extraEvents: readonly string[]) {
  const emulator = createEmulator({ apiKey: API_KEY, extraEvents })
  await emulator.start()
  onTestFinished(() => emulator.stop())
  return emulator
}

function register(baseUrl: string, args: readonly string[]) {
  const events = args.includes('--events') ? [] : ['--events', 'message.received,message.read']
  return invoke(['register', ...URL_ARGS, '--base-url', baseUrl, ...events, ...args])
}

/** A service that responds with the secret, after `before`. */
function revealing(before: () => unknown = () => {}): Promise<string> {
  return serving(async (req, res) => {
    req.resume()
    await before()
    res.writeHead(201, { 'Content-Type': 'application/json' })
    res.end(JSON.stringify({ id: 'wh_1', secret: SECRET_ONCE, note: `do not tell ${SECRET_ONCE}` }))
  })
}

const SECRET_ONCE = 'whsec_sent-once-c4f2'

describe('--write-secret', () => {
  it('holds the secret, for the owner alone, and nothing else does', async () => {
    const emulator = await service()
    const directory = await folder()
    const path = join(directory, 'secret')
    const { code, out, err } = await register(emulator.baseUrl, ['--write-secret', path])
    expect(code).toBe(0)
    expect(await readFile(path, 'utf8')).toMatch(/^whsec_\S+\n$/)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(directory)).toEqual(['secret'])
    expect(out + err).not.toContain('whsec_')
    expect(emulator.webhooks()[0]?.events).toEqual(['message.received', 'message.read'])
  })

  it.each<[string, (path: string) => unknown]>([
    ['exists', (path) => writeFile(path, 'dear')],
    ['is a link', (path) => symlink('/dev/null', path)],
  ])('that %s is left as it is, and no webhook is created: 2', async (_, make) => {
    const emulator = await service()
    const path = join(await folder(), 'secret')
    await make(path)
    const before = await lstat(path)
    const { code } = await register(emulator.baseUrl, ['--write-secret', path])
    expect([code, emulator.webhooks()]).toEqual([2, []])
    expect(await lstat(path)).toMatchObject({ ino: before.ino, size: before.size })
  })

  it('that is written meanwhile is not changed, and the secret is printed: 1', async () => {
    const directory = await folder()
    const path = join(directory, 'file')
    const url = await revealing(() => writeFile(path, 'somebody else'))
    const { code, out, err } = await register(url, ['--write-secret', path])
    expect(code).toBe(1)
    expect(await readFile(path, 'utf8')).toBe('somebody else')
    expect(await readdir(directory)).toEqual(['file'])
    expect(err).toContain(`The secret is: ${SECRET_ONCE}\n`)
    expect(out).not.toContain(SECRET_ONCE)
  })

  it('is not made where the service rejects', async () => {
    const directory = await folder()
    const url = await respondingWith(402)
    expect((await register(url, ['--write-secret', join(directory, 'file')])).code).toBe(1)
    expect(await readdir(directory)).toEqual([])
  })
})

it('prints the secret where --show-secret asks for it, and in no other place', async () => {
  const url = await revealing()
  expect((await register(url, ['--show-secret', '--json'])).json).toEqual([
    { webhook: { id: 'wh_1', note: 'do not tell [the secret]' }, secret: SECRET_ONCE },
  ])
})

it('registers for the events that are named, newer ones too, with what the environment says', async () => {
  const emulator = await service('message.reacted')
  const key = join(await folder(), 'key')
  await writeFile(key, `${API_KEY}\n`)
  const { code, err } = await invoke(
    [
      'register',
      ...URL_ARGS,
      ...['--events', 'message.read,message.reacted', '--show-secret', '--api-key-file', key],
    ],
    { env: { WEBHOOK_BASE_URL: emulator.baseUrl, WEBHOOK_API_KEY: undefined }, tty: true },
  )
  expect(code).toBe(0)
  expect(err).toContain('Registering at 127.0.0.1')
  expect(emulator.webhooks()[0]?.events).toEqual(['message.read', 'message.reacted'])
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
