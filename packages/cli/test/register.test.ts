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
  it('holds the secret, for the owner alone, and nothing else does', async () => {
    const emulator = await service()
    const directory = await folder()
    const path = join(directory, 'secret')
    const { code, out, err } = await register(emulator.baseUrl, ['--secret-file', path])
    expect(code).toBe(0)
    const secret = await readFile(path, 'utf8')
    expect(secret).toMatch(/^whsec_\S+\n$/)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(directory)).toEqual(['secret'])
    expect(out + err).not.toContain('whsec_')
    expect(out).toContain(`The secret is in ${path}.`)
    expect(emulator.webhooks()).toMatchObject([{ events: ['message.received', 'message.read'] }])
  })

  it('that exists is left as it is, and no webhook is created: 2', async () => {
    const emulator = await service()
    const directory = await folder()
    const path = join(directory, 'secret')
    await writeFile(path, 'dear')
    const { code, err } = await register(emulator.baseUrl, ['--secret-file', path])
    expect(code).toBe(2)
    expect(err).toContain(`${path} already exists`)
    expect(await readFile(path, 'utf8')).toBe('dear')
    expect(emulator.webhooks()).toEqual([])
    expect(await readdir(directory)).toEqual(['secret'])
  })

  it('is replaced with --force', async () => {
    const emulator = await service()
    const path = join(await folder(), 'secret')
    await writeFile(path, 'old', { mode: 0o644 })
    expect((await register(emulator.baseUrl, ['--secret-file', path, '--force'])).code).toBe(0)
    expect(await readFile(path, 'utf8')).toMatch(/^whsec_/)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('that is created meanwhile is not changed, and the secret is printed: 1', async () => {
    const directory = await folder()
    const path = join(directory, 'secret')
    const url = await serviceWith(SECRET_ONCE, () => writeFile(path, 'somebody else'))
    const { code, out, err } = await register(url, ['--secret-file', path])
    expect(code).toBe(1)
    expect(await readFile(path, 'utf8')).toBe('somebody else')
    expect(await readdir(directory)).toEqual(['secret'])
    expect(err).toContain(`does not send it again. The secret is: ${SECRET_ONCE}\n`)
    expect(err).toContain(`The webhook was created, but the secret could not be written to ${path}`)
    expect(out).toContain('created')
    expect(out).not.toContain(SECRET_ONCE)
  })

  it.each([['a folder'], ['a link']])('that is %s is rejected', async (what) => {
    const emulator = await service()
    const directory = await folder()
    const path = join(directory, 'secret')
    if (what === 'a folder') await mkdir(path)
    else await symlink('/dev/null', path)
    const { code, err } = await register(emulator.baseUrl, ['--secret-file', path, '--force'])
    expect(code).toBe(2)
    expect(err).toContain('is not a regular file')
    expect(emulator.webhooks()).toEqual([])
  })

  it('in a folder that is not there is rejected before anything is created', async () => {
    const emulator = await service()
    const path = join(await folder(), 'no', 'secret')
    const { code, err } = await register(emulator.baseUrl, ['--secret-file', path])
    expect(code).toBe(2)
    expect(err).toContain('cannot write to this folder: ENOENT')
    expect(emulator.webhooks()).toEqual([])
  })

  it('leaves nothing behind where the service rejects: 1', async () => {
    const directory = await folder()
    const url = await serving((_, res) => {
      res.writeHead(402, { 'X-Request-Id': 'req_7' }).end('pay\u001b[2J first')
    })
    const { code, err } = await register(url, ['--secret-file', join(directory, 'secret')])
    expect(code).toBe(1)
    expect(err).toContain('The service said: pay\\u001b[2J first')
    expect(await readdir(directory)).toEqual([])
  })
})

it('does not print a secret that comes with a rejection: 1', async () => {
  const url = await serving((_, res) => void res.writeHead(500).end(`{"secret":"${SECRET_ONCE}"}`))
  const { code, out, err } = await register(url, ['--show-secret'])
  expect(code).toBe(1)
  expect(err).toContain('The service said: {"secret":"[a secret]"}')
  expect(out + err).not.toContain(SECRET_ONCE)
})

describe('--dotenv', () => {
  async function env(before: string | undefined, args: readonly string[] = []) {
    const emulator = await service()
    const path = join(await folder(), '.env')
    if (before !== undefined) await writeFile(path, before, { encoding: 'latin1', mode: 0o640 })
    const result = await register(emulator.baseUrl, ['--dotenv', path, ...args])
    const after = await readFile(path, 'latin1').catch(() => undefined)
    return { ...result, after, path, webhooks: emulator.webhooks() }
  }

  it.each([
    ['a new file', undefined, /^WEBHOOK_SECRET=whsec_\S+\n$/],
    ['an empty file', '', /^WEBHOOK_SECRET=whsec_\S+\n$/],
    ['a file', 'A=1\n', /^A=1\nWEBHOOK_SECRET=whsec_\S+\n$/],
    ['a last line without an end', 'A=1', /^A=1\nWEBHOOK_SECRET=whsec_\S+\n$/],
    ['lines of Windows', 'A=1\r\nB=2\r\n', /^A=1\r\nB=2\r\nWEBHOOK_SECRET=whsec_\S+\r\n$/],
    ['those without a last end', 'A=1\r\nB=2', /^A=1\r\nB=2\r\nWEBHOOK_SECRET=whsec_\S+\r\n$/],
    [
      'bytes that are not UTF-8',
      '# caf\u00e9\xff\n',
      /^# caf\u00e9\xff\nWEBHOOK_SECRET=whsec_\S+\n$/,
    ],
    ['a comment', '# WEBHOOK_SECRET=1\n', /^# WEBHOOK_SECRET=1\nWEBHOOK_SECRET=whsec_\S+\n$/],
    ['a longer name', 'MY_WEBHOOK_SECRET=1\n', /^MY_WEBHOOK_SECRET=1\nWEBHOOK_SECRET=whsec_\S+\n$/],
  ])('appends one line to %s', async (_, before, after) => {
    const result = await env(before)
    expect(result.code).toBe(0)
    expect(result.after).toMatch(after)
    expect((await stat(result.path)).mode & 0o777).toBe(before === undefined ? 0o600 : 0o640)
    expect(await readdir(join(result.path, '..'))).toEqual(['.env'])
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
    const { code, err } = await register(emulator.baseUrl, ['--dotenv', path, '--force'])
    expect(code).toBe(2)
    expect(err).toContain(`--dotenv: ${path} already sets WEBHOOK_SECRET.`)
    expect(await readFile(path, 'utf8')).toBe(before)
    expect(emulator.webhooks()).toEqual([])
  })

  it('sets the variable that is given', async () => {
    const before = 'WEBHOOK_SECRET=whsec_old\n'
    const { after } = await env(before, ['--env-var', 'HOOK'])
    expect(after).toMatch(/^WEBHOOK_SECRET=whsec_old\nHOOK=whsec_\S+\n$/)
  })

  it('keeps a link to the file', async () => {
    const emulator = await service()
    const directory = await folder()
    await writeFile(join(directory, 'real'), 'A=1\n')
    await symlink(join(directory, 'real'), join(directory, '.env'))
    await register(emulator.baseUrl, ['--dotenv', join(directory, '.env')])
    expect(await readFile(join(directory, 'real'), 'utf8')).toMatch(/^A=1\nWEBHOOK_SECRET=whsec_/)
    expect((await lstat(join(directory, '.env'))).isSymbolicLink()).toBe(true)
  })

  it('quotes a secret that needs it', async () => {
    const url = await serviceWith('whsec_a b$c#')
    const path = join(await folder(), '.env')
    expect((await register(url, ['--dotenv', path])).code).toBe(0)
    const text = await readFile(path, 'utf8')
    expect(text).toBe("WEBHOOK_SECRET='whsec_a b$c#'\n")
    expect(parseEnv(text)).toEqual({ WEBHOOK_SECRET: 'whsec_a b$c#' })
  })

  it('that cannot hold the secret is not changed, and the secret is printed: 1', async () => {
    const url = await serviceWith("whsec_it's\u001b[2J")
    const path = join(await folder(), '.env')
    await writeFile(path, 'A=1\n')
    const { code, err, json } = await register(url, ['--dotenv', path, '--json'])
    expect(code).toBe(1)
    expect(err).toContain("The secret is: whsec_it's\\u001b[2J\n")
    expect(json).toEqual([
      { webhook: expect.any(Object), problem: expect.stringContaining('a .env file cannot hold') },
    ])
    expect(await readFile(path, 'utf8')).toBe('A=1\n')
  })

  it('that sets the variable meanwhile is not changed, and the secret is printed: 1', async () => {
    const path = join(await folder(), '.env')
    const url = await serviceWith(SECRET_ONCE, () => writeFile(path, 'WEBHOOK_SECRET=x\n'))
    const { code, err } = await register(url, ['--dotenv', path])
    expect(code).toBe(1)
    expect(await readFile(path, 'utf8')).toBe('WEBHOOK_SECRET=x\n')
    expect(err).toContain(`The secret is: ${SECRET_ONCE}\n`)
  })

  it('is not made where the service rejects: 1', async () => {
    const directory = await folder()
    const url = await serving((_, res) => void res.writeHead(402).end())
    expect((await register(url, ['--dotenv', join(directory, '.env')])).code).toBe(1)
    expect(await readdir(directory)).toEqual([])
  })

  it('in a folder that is not there is rejected before anything is created: 2', async () => {
    const emulator = await service()
    const path = join(await folder(), 'no', '.env')
    const { code, err } = await register(emulator.baseUrl, ['--dotenv', path])
    expect(code).toBe(2)
    expect(err).toContain('--dotenv: cannot write to this folder: ENOENT')
    expect(emulator.webhooks()).toEqual([])
  })

  it('that is a folder is rejected: 2', async () => {
    const emulator = await service()
    const { code, err } = await register(emulator.baseUrl, ['--dotenv', await folder()])
    expect(code).toBe(2)
    expect(err).toContain('--dotenv cannot be read')
  })
})

describe('--show-secret', () => {
  it('prints it', async () => {
    const { code, out } = await register(await serviceWith(SECRET_ONCE), ['--show-secret'])
    expect(code).toBe(0)
    expect(out).toContain(`The secret: ${SECRET_ONCE}\n`)
  })

  it('prints it in JSON', async () => {
    const { json } = await register(await serviceWith(SECRET_ONCE), ['--show-secret', '--json'])
    expect(json).toEqual([
      { webhook: { id: 'wh_1', note: 'do not tell [the secret]' }, secret: SECRET_ONCE },
    ])
  })

  it('left out, the JSON says where it is', async () => {
    const path = join(await folder(), 'secret')
    const { json } = await register(await serviceWith(SECRET_ONCE), [
      '--secret-file',
      path,
      '--json',
    ])
    expect(json).toEqual([{ webhook: expect.any(Object), secret_in: path }])
    expect(JSON.stringify(json)).not.toContain(SECRET_ONCE)
  })
})

describe('rejects before anything is sent: 2', () => {
  it.each([
    [[], /^Missing:\n {2}--secret-file, --dotenv or --show-secret/],
    [['--secret-file', 'a', '--dotenv', 'b'], /not both/],
    [['--secret-file', 'a', '--env-var', 'B'], /--env-var needs --dotenv/],
    [['--dotenv', '/tmp/x', '--env-var', 'a-b'], /the name of a variable such as/],
    [
      ['--events', 'message.reacted', '--show-secret'],
      /--events has "message.reacted"[\s\S]*--extra-event/,
    ],
  ])('%j', async (args, message) => {
    const emulator = await service()
    const { code, err } = await register(emulator.baseUrl, args)
    expect(code).toBe(2)
    expect(err).toMatch(message)
    expect(emulator.webhooks()).toEqual([])
  })

  it.each([
    ['--base-url', ['--url', 'https://a.example', '--base-url', 'http://example.com']],
    ['--url', ['--url', 'http://example.com', '--base-url', 'https://a.example']],
  ])('http to another machine: %s', async (flag, args) => {
    const { code, err } = await invoke(['register', ...args, '--show-secret'])
    expect(code).toBe(2)
    expect(err).toMatch(new RegExp(`^${flag} should begin with "?https`))
  })

  it('what is missing, all of it at once', async () => {
    const env = { WEBHOOK_API_KEY: undefined }
    const url = ['register', '--url', 'https://example.com/webhooks']
    const { code, err } = await invoke(url, { env })
    expect(code).toBe(2)
    expect(err.match(/^ {2}[^:]+/gm)).toEqual([
      '  --base-url or WEBHOOK_BASE_URL',
      '  WEBHOOK_API_KEY or --api-key-file',
      '  --secret-file, --dotenv or --show-secret',
    ])
    const rest = ['--base-url', 'http://localhost:1', '--show-secret']
    const { err: key } = await invoke([...url, ...rest], { env })
    expect(key).toBe('Missing:\n  WEBHOOK_API_KEY or --api-key-file: the API key of the service\n')
  })
})

it('registers for all events without --events', async () => {
  const emulator = await service()
  const args = ['--base-url', emulator.baseUrl, '--show-secret']
  expect((await invoke(['register', ...URL_ARGS, ...args])).code).toBe(0)
  expect(emulator.webhooks()[0]?.events).toHaveLength(7)
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
      '--events',
      'all',
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
