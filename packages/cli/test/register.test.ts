import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { createEmulator, type Emulator } from '@webhook-receiver/emulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folder } from './folder.ts'
import { API_KEY, type Circumstances, invoke, start } from './invoke.ts'
import { serving } from './receiver.ts'

const URL_ARGS = ['--url', 'http://localhost:3000/webhooks']

async function service(): Promise<Emulator> {
  const emulator = createEmulator({ apiKey: API_KEY })
  await emulator.start()
  onTestFinished(() => emulator.stop())
  return emulator
}

function register(baseUrl: string, args: readonly string[], circumstances: Circumstances = {}) {
  const events = args.includes('--events') ? [] : ['--events', 'message.received,message.read']
  return invoke(['register', ...URL_ARGS, '--base-url', baseUrl, ...events, ...args], circumstances)
}

/** A service that responds with this secret, after `before`. */
function serviceWith(secret: string, before: () => unknown = () => {}): Promise<string> {
  return serving(async (req, res) => {
    req.resume()
    await before()
    res.writeHead(201, { 'Content-Type': 'application/json' })
    res.end(JSON.stringify({ id: 'wh_1', secret, note: `do not tell ${secret}` }))
  })
}

const SECRET_ONCE = 'whsec_sent-once-c4f2'

describe('--secret-file', () => {
  it('holds the secret, for the owner alone, and nothing else does, also with --force', async () => {
    const emulator = await service()
    const directory = await folder()
    const path = join(directory, 'secret')
    for (const force of [[], ['--force']]) {
      const args = ['--secret-file', path, ...force]
      const { code, out, err } = await register(emulator.baseUrl, args)
      expect(code).toBe(0)
      expect(await readFile(path, 'utf8')).toMatch(/^whsec_\S+\n$/)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      expect(await readdir(directory)).toEqual(['secret'])
      expect(out + err).not.toContain('whsec_')
      await writeFile(path, 'old', { mode: 0o644 })
    }
    expect(emulator.webhooks()[1]?.events).toEqual(['message.received', 'message.read'])
  })

  it.each<[string, (path: string) => unknown, readonly string[]]>([
    ['exists', (path) => writeFile(path, 'dear'), []],
    ['is a folder', (path) => mkdir(path), ['--force']],
    ['is a link', (path) => symlink('/dev/null', path), ['--force']],
  ])('that %s is left as it is, and no webhook is created: 2', async (_, make, force) => {
    const emulator = await service()
    const path = join(await folder(), 'secret')
    await make(path)
    const before = await lstat(path)
    const { code } = await register(emulator.baseUrl, ['--secret-file', path, ...force])
    expect([code, emulator.webhooks()]).toEqual([2, []])
    expect(await lstat(path)).toMatchObject({ ino: before.ino, size: before.size })
  })
})

describe.each([
  ['--secret-file', 'somebody else'],
  ['--dotenv', 'WEBHOOK_SECRET=x\n'],
])('%s', (flag, other) => {
  it('that is written meanwhile is not changed, and the secret is printed: 1', async () => {
    const directory = await folder()
    const path = join(directory, 'file')
    const url = await serviceWith(SECRET_ONCE, () => writeFile(path, other))
    const { code, out, err } = await register(url, [flag, path])
    expect(code).toBe(1)
    expect(await readFile(path, 'utf8')).toBe(other)
    expect(await readdir(directory)).toEqual(['file'])
    expect(err).toContain(`The secret is: ${SECRET_ONCE}\n`)
    expect(out).not.toContain(SECRET_ONCE)
  })

  it('is not made where the service rejects, and no webhook where its folder is missing', async () => {
    const [directory, emulator] = [await folder(), await service()]
    const url = await serving((_, res) => void res.writeHead(402).end())
    expect((await register(url, [flag, join(directory, 'file')])).code).toBe(1)
    expect(await readdir(directory)).toEqual([])
    const args = [flag, join(directory, 'no', 'file')]
    expect((await register(emulator.baseUrl, args)).code).toBe(2)
    expect(emulator.webhooks()).toEqual([])
  })
})

describe('--dotenv', () => {
  it.each([
    ['a new file', undefined, /^WEBHOOK_SECRET=whsec_\S+\n$/],
    ['an empty file', '', /^WEBHOOK_SECRET=whsec_\S+\n$/],
    ['a last line without an end', 'A=1', /^A=1\nWEBHOOK_SECRET=whsec_\S+\n$/],
    ['lines of Windows', 'A=1\r\nB=2\r\n', /^A=1\r\nB=2\r\nWEBHOOK_SECRET=whsec_\S+\r\n$/],
    ['those without a last end', 'A=1\r\nB=2', /^A=1\r\nB=2\r\nWEBHOOK_SECRET=whsec_\S+\r\n$/],
    ['bytes that are not UTF-8', '# \xe9\xff\n', /^# \xe9\xff\nWEBHOOK_SECRET=whsec_\S+\n$/],
    ['a comment', '# WEBHOOK_SECRET=1\n', /^# WEBHOOK_SECRET=1\nWEBHOOK_SECRET=whsec_\S+\n$/],
    ['a longer name', 'MY_WEBHOOK_SECRET=1\n', /^MY_WEBHOOK_SECRET=1\nWEBHOOK_SECRET=whsec_\S+\n$/],
  ])('appends one line to %s', async (_, before, after) => {
    const emulator = await service()
    const path = join(await folder(), '.env')
    if (before !== undefined) await writeFile(path, before, { encoding: 'latin1', mode: 0o640 })
    expect((await register(emulator.baseUrl, ['--dotenv', path])).code).toBe(0)
    expect(await readFile(path, 'latin1')).toMatch(after)
    expect((await stat(path)).mode & 0o777).toBe(before === undefined ? 0o600 : 0o640)
    expect(await readdir(join(path, '..'))).toEqual(['.env'])
  })

  it.each([
    ['WEBHOOK_SECRET=whsec_old\n'],
    ['A=1\r\nWEBHOOK_SECRET=\r\n'],
    ['\ufeffWEBHOOK_SECRET=1'],
    ['A=1\n  export  WEBHOOK_SECRET = "x"'],
    ['WEBHOOK_SECRET: whsec_old\n'],
  ])('rejects %j before anything is created, with --force too: 2', async (before) => {
    const emulator = await service()
    const path = join(await folder(), '.env')
    await writeFile(path, before)
    const { code } = await register(emulator.baseUrl, ['--dotenv', path, '--force'])
    expect(code).toBe(2)
    expect(await readFile(path, 'utf8')).toBe(before)
    expect(emulator.webhooks()).toEqual([])
  })

  it('sets the variable that is given, in the file that a link leads to', async () => {
    const emulator = await service()
    const directory = await folder()
    const [real, link] = [join(directory, 'real'), join(directory, '.env')]
    await writeFile(real, 'WEBHOOK_SECRET=whsec_old\n')
    await symlink(real, link)
    await register(emulator.baseUrl, ['--dotenv', link, '--env-var', 'HOOK'])
    expect(await readFile(real, 'utf8')).toMatch(/^WEBHOOK_SECRET=whsec_old\nHOOK=whsec_\S+\n$/)
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
  })

  it('quotes a secret that needs it, and is not changed for one that it cannot hold', async () => {
    const path = join(await folder(), '.env')
    expect((await register(await serviceWith('whsec_a b$c#'), ['--dotenv', path])).code).toBe(0)
    const text = await readFile(path, 'utf8')
    expect(parseEnv(text)).toEqual({ WEBHOOK_SECRET: 'whsec_a b$c#' })
    const args = ['--dotenv', path, '--env-var', 'OTHER']
    expect((await register(await serviceWith("whsec_it's"), args)).code).toBe(1)
    expect(await readFile(path, 'utf8')).toBe(text)
  })
})

it('prints the secret where --show-secret asks for it, and in no other place', async () => {
  const url = await serviceWith(SECRET_ONCE)
  const path = join(await folder(), 'secret')
  expect((await register(url, ['--show-secret', '--json'])).json).toEqual([
    { webhook: { id: 'wh_1', note: 'do not tell [the secret]' }, secret: SECRET_ONCE },
  ])
  const { json, out, err } = await register(url, ['--secret-file', path, '--json'])
  expect(json).toEqual([{ webhook: expect.any(Object), secret_in: path }])
  expect(out + err).not.toContain(SECRET_ONCE)
})

it('sends nothing where --events has another one, unless that is named', async () => {
  const emulator = await service()
  const args = ['--events', 'message.reacted', '--show-secret']
  expect((await register(emulator.baseUrl, args)).code).toBe(2)
  expect(emulator.webhooks()).toEqual([])
})

it('registers for all events, newer ones too, with what the environment says', async () => {
  const emulator = createEmulator({ apiKey: API_KEY, extraEvents: ['message.reacted'] })
  await emulator.start()
  onTestFinished(() => emulator.stop())
  const key = join(await folder(), 'key')
  await writeFile(key, `${API_KEY}\n`)
  const { code, err } = await invoke(
    [
      'register',
      ...URL_ARGS,
      '--extra-event',
      'message.reacted',
      '--api-key-file',
      key,
      '--show-secret',
    ],
    { env: { WEBHOOK_BASE_URL: emulator.baseUrl, WEBHOOK_API_KEY: undefined }, tty: true },
  )
  expect(code).toBe(0)
  expect(err).toContain('Registering at 127.0.0.1')
  expect(emulator.webhooks()[0]?.events).toHaveLength(8)
})

it('ends with 130 after Ctrl-C, and says that the webhook may exist', async () => {
  let asked = false
  const url = await serving(() => {
    asked = true
  })
  const directory = await folder()
  const registering = start([
    'register',
    ...URL_ARGS,
    ...['--base-url', url, '--events', 'all', '--secret-file', join(directory, 'secret')],
  ])
  await expect.poll(() => asked).toBe(true)
  registering.interrupt()
  const { code, err } = await registering.ended
  expect(code).toBe(130)
  expect(err).toContain('The webhook may have been created')
  expect(await readdir(directory)).toEqual([])
})
