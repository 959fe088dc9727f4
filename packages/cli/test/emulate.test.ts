import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWebhookClient } from '@webhook-receiver/client'
import { EVENTS } from '@webhook-receiver/core'
import { webhookHandler } from '@webhook-receiver/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folder } from './folder.ts'
import { API_KEY, type Circumstances, type Invocation, invoke, start } from './invoke.ts'
import { serving } from './receiver.ts'

const FAST = ['--rate', '500', '--retries', 'none']

/** A port on which nothing listens yet. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The emulator first, then a receiver with the secret that it wrote: as a person does it. */
async function conversing(args: readonly string[], circumstances: Circumstances = {}) {
  const port = await freePort()
  const path = join(await folder(), 'secret')
  const url = `http://127.0.0.1:${port}/webhooks`
  const fast = args.includes('--rate') ? FAST.slice(2) : FAST
  const emulating = start(
    ['emulate', '--forward', url, '--secret-file', path, ...fast, ...args],
    circumstances,
  )
  await emulating.until(/Waiting for a receiver/)
  const secret = (await readFile(path, 'utf8')).trim()
  const handled: string[] = []
  const server = createServer(
    webhookHandler(secret, (delivery) => void handled.push(delivery.event), { onRejected: false }),
  )
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { emulating, secret, handled }
}

async function concluded({ emulating, secret }: { emulating: Invocation; secret: string }) {
  const result = await emulating.ended
  expect(result.out + result.err).not.toContain(secret)
  return result
}

describe('emulate --forward', () => {
  it('sends a conversation to a receiver that is started after it', async () => {
    const session = await conversing(['--rounds', '2'])
    const { code, out, err } = await concluded(session)
    expect(code).toBe(0)
    expect(session.handled).toHaveLength(14)
    expect(out).toMatch(/^\d\d:\d\d:\d\d {2}204 {2}instance\.connected +\d+ ms {2}\S{8}\n/)
    expect(out).toMatch(/14 deliveries in 14 requests, 14 delivered\.\n$/)
    expect(err).toMatch(/API key +from WEBHOOK_API_KEY\n/)
    expect(err).toContain('Press Ctrl-C to stop.')
    expect(err).toMatch(/WEBHOOK_SECRET="\$\(cat \S+\)" npm start/)
  })

  it('keeps the totals below the lines on a terminal', async () => {
    const session = await conversing(['--rounds', '3', '--rate', '10'], { tty: true })
    await session.emulating.until(/[1-9] deliveries in \d+ requests/)
    const { out } = await concluded(session)
    expect(out).toContain('\u001b[32m204')
    const shown = out.replaceAll('\r\u001b[2K', '\n').split('\n')
    expect(shown.filter((line) => /\d\d:\d\d:\d\d/.test(line))).toHaveLength(21)
    expect(shown.filter((line) => line.includes('deliveries in')).length).toBeGreaterThan(1)
    expect(out).toMatch(/21 deliveries in 21 requests, 21 delivered\.\n$/)
  })

  it('has no colours where NO_COLOR says so', async () => {
    const session = await conversing(['--count', '3'], { tty: true, env: { NO_COLOR: '1' } })
    const { out } = await concluded(session)
    expect(out).not.toContain('\u001b[32m')
    expect(out).not.toContain('\u001b[1m')
  })

  it('tells in JSON of each request, and at the end of all', async () => {
    const args = [
      '--count',
      '4',
      '--json',
      '--faults',
      'duplicate',
      '--fault-rate',
      '1',
      '--seed',
      '9',
    ]
    const { code, json, err } = await concluded(await conversing(args))
    expect(code).toBe(0)
    expect(err).toMatch(/Faults +duplicate \(seed 9\)/)
    expect(json).toHaveLength(9)
    expect(json).toContainEqual(
      expect.objectContaining({ type: 'attempt', request: 2, fault: 'duplicate', status: 204 }),
    )
    expect(json.at(-1)).toMatchObject({ type: 'summary', seed: 9, deliveries: 4, requests: 8 })
  })

  it('ends cleanly after Ctrl-C, with a summary', async () => {
    const session = await conversing([])
    await session.emulating.until(/message\.read/)
    session.emulating.interrupt()
    const { code, out } = await concluded(session)
    expect(code).toBe(0)
    expect(out).toMatch(/\d+ deliveries in \d+ requests, \d+ delivered.*\.\n$/)
  })

  it('sends only the events that are asked for', async () => {
    const session = await conversing(['--rounds', '2', '--events', 'message.read'])
    await concluded(session)
    expect(session.handled).toEqual(['message.read', 'message.read'])
  })
})

describe('ends with 1 where the receiver', () => {
  const run = (url: string, ...args: string[]) =>
    invoke(['emulate', '--forward', url, ...FAST, '--rounds', '1', ...args])

  it('rejects everything, and says what that looks like', async () => {
    const url = await serving((_, res) => void res.writeHead(401).end())
    const { code, err, out } = await run(url)
    expect(code).toBe(1)
    expect(out).toContain('7 exhausted')
    expect(err).toContain('start it with the secret of this run')
  })

  it('takes what it should reject', async () => {
    const url = await serving((req, res) => void req.resume().on('end', () => res.end()))
    const { code, err, out } = await run(url, '--faults', 'alter', '--fault-rate', '1')
    expect(code).toBe(1)
    expect(out).toContain('wrongly accepted')
    expect(out).toContain('7 forged requests accepted')
    expect(err).toContain('it does not verify them')
    expect((await run(url, '--faults', 'alter', '--fault-rate', '1', '--json')).code).toBe(1)
  })

  it('takes what it should reject, on a terminal', async () => {
    const url = await serving((req, res) => void req.resume().on('end', () => res.end()))
    const args = ['--faults', 'stale', '--fault-rate', '1', '--count', '2']
    const result = await invoke(['emulate', '--forward', url, ...FAST, ...args], { tty: true })
    expect(result).toMatchObject({
      code: 1,
      out: expect.stringContaining('wrongly accepted'),
    })
  })

  it('breaks the connection', async () => {
    const url = await serving((req) => req.destroy())
    expect(await run(url)).toMatchObject({
      code: 1,
      out: expect.stringContaining('socket hang up'),
    })
    const tty = await invoke(['emulate', '--forward', url, ...FAST, '--count', '1'], { tty: true })
    expect(tty.out).toContain('socket hang up')
    expect((await run(url, '--json')).json[0]).toMatchObject({ status: null })
  })

  it('is not there in time', async () => {
    const url = `http://localhost:${await freePort()}/`
    const { code, err } = await run(url, '--wait', '0.3')
    expect(code).toBe(1)
    expect(err).toMatch(/No receiver listens at localhost:\d+ after 0\.3 s\. Start it there/)
  })
})

describe('the secret', () => {
  const none = ['--scenario', 'none']

  it('is in a temporary file where nobody says more, for as long as it runs', async () => {
    const emulating = start(['emulate', '--forward', 'http://localhost:1/', ...none])
    const [, path = ''] = await emulating.until(/cat (\S+)\)/)
    expect(path.startsWith(tmpdir())).toBe(true)
    expect(await readFile(path, 'utf8')).toMatch(/^whsec_\S+\n$/)
    emulating.interrupt()
    const { code, out, err } = await emulating.ended
    expect(code).toBe(0)
    expect(out + err).not.toContain('whsec_')
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })

  it('is printed where that is asked for', async () => {
    const emulating = start([
      'emulate',
      '--forward',
      'http://localhost:1/',
      ...none,
      '--show-secret',
    ])
    await emulating.until(/WEBHOOK_SECRET=whsec_\S+\n/)
    emulating.interrupt()
    expect((await emulating.ended).code).toBe(0)
  })

  it('is in a variable of a .env file', async () => {
    const path = join(await folder(), 'it is.env')
    const emulating = start([
      'emulate',
      '--forward',
      'http://localhost:1/',
      ...none,
      '--dotenv',
      path,
    ])
    await emulating.until(/node --env-file='\S+ is\.env' server\.js/)
    emulating.interrupt()
    await emulating.ended
    expect(await readFile(path, 'utf8')).toMatch(/^WEBHOOK_SECRET=whsec_\S+\n$/)
  })

  it('does not go to a file that exists: 2', async () => {
    const directory = await folder()
    await writeFile(join(directory, 'secret'), 'dear')
    const args = ['--secret-file', join(directory, 'secret')]
    const { code } = await invoke(['emulate', '--forward', 'http://localhost:1/', ...args])
    expect(code).toBe(2)
    expect(await readFile(join(directory, 'secret'), 'utf8')).toBe('dear')
  })

  it('is not made for an address that the service rejects: 2', async () => {
    const directory = await folder()
    const args = ['--secret-file', join(directory, 'secret')]
    const { code, err } = await invoke(['emulate', '--forward', 'http://example.com/', ...args])
    expect(code).toBe(2)
    expect(err).toContain('https://')
    expect(await readdir(directory)).toEqual([])
  })
})

it('serves registrations, and sends to the first that comes', async () => {
  const url = await serving((req, res) => void req.resume().on('end', () => res.end()))
  const emulating = start(['emulate', ...FAST, '--count', '2'])
  const [, baseUrl] = await emulating.until(/Service at +(\S+)/)
  await emulating.until(/Waiting for a program to register a webhook/)
  const client = createWebhookClient({ baseUrl, apiKey: API_KEY, allowInsecureLoopback: true })
  await client.create({ url, events: ['instance.connected'] })
  const { code, out } = await emulating.ended
  expect(code).toBe(0)
  expect(out).toContain('1 delivery in 1 request')
})

it('takes the API key of a file, and does not print it', async () => {
  const path = join(await folder(), 'key')
  await writeFile(path, 'key-of-a-file-51d0\n')
  const args = ['emulate', '--api-key-file', path]
  const emulating = start(args, { env: { WEBHOOK_API_KEY: 'another-key-51d0' } })
  const [, baseUrl = ''] = await emulating.until(/Service at +(\S+)/)
  expect(await statusFor(baseUrl, 'another-key-51d0')).toBe(401)
  expect(await statusFor(baseUrl, 'key-of-a-file-51d0')).toBe(422)
  emulating.interrupt()
  const { out, err } = await emulating.ended
  expect(out + err).not.toContain('51d0')
})

it('makes an API key of its own, another each time, and prints it once', async () => {
  const keys: string[] = []
  for (let run = 0; run < 2; run++) {
    const emulating = start(['emulate'], { env: { WEBHOOK_API_KEY: undefined } })
    const [, baseUrl = ''] = await emulating.until(/Service at +(\S+)/)
    const [, key = ''] = await emulating.until(/WEBHOOK_API_KEY=([\w-]{32})$/m)
    expect(await statusFor(baseUrl, 'local-key')).toBe(401)
    expect(await statusFor(baseUrl, key)).toBe(422)
    emulating.interrupt()
    const { out, err } = await emulating.ended
    expect((out + err).split(key)).toHaveLength(2)
    keys.push(key)
  }
  expect(keys[0]).not.toBe(keys[1])
})

/** The message for a registration that lacks everything. */
async function statusFor(baseUrl: string, key: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` }
  const { status } = await fetch(`${baseUrl}/api/v1/webhooks`, {
    method: 'POST',
    headers,
    body: '{}',
  })
  return status
}

it('takes the host names that are named, and no other', async () => {
  const emulating = start(['emulate', '--allow-host', 'emulator,gate.example'])
  const [, baseUrl = ''] = await emulating.until(/Service at +(\S+)/)
  const statusOf = (Host: string) =>
    new Promise((resolve, reject) => {
      const asked = request(`${baseUrl}/api/v1/webhooks`, { method: 'POST', headers: { Host } })
      asked.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
      asked.end()
    })
  expect(await statusOf('gate.example')).toBe(401)
  expect(await statusOf('evil.example')).toBe(421)
  emulating.interrupt()
  expect((await emulating.ended).code).toBe(0)
})

describe('a receiver that is not there', () => {
  const take = (handled: string[]) =>
    serving(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      handled.push(JSON.parse(body).event)
      res.end()
    })

  it('is reported, when it registers first, and the others get their deliveries', async () => {
    const handled: string[] = []
    const [dead, url] = [`http://127.0.0.1:${await freePort()}/`, await take(handled)]
    const emulating = start(['emulate', ...FAST, '--count', '2'])
    const [, baseUrl] = await emulating.until(/Service at +(\S+)/)
    const client = createWebhookClient({ baseUrl, apiKey: API_KEY, allowInsecureLoopback: true })
    await client.create({ url: dead, events: ['instance.connected', 'message.received'] })
    await emulating.until(/Waiting for a receiver at 127/)
    await client.create({ url, events: ['instance.connected', 'message.received'] })
    const { code, out, err } = await emulating.ended
    expect(handled).toEqual(['instance.connected', 'message.received'])
    expect(err).toContain(
      `No receiver listens at ${new URL(dead).host}. Deliveries to it fail until`,
    )
    expect(out).toContain('4 deliveries in 4 requests, 2 delivered, 2 exhausted')
    expect(code).toBe(1)
  })

  it('is waited for, and then gets deliveries anyway', async () => {
    const handled: string[] = []
    const dead = `http://127.0.0.1:${await freePort()}/`
    const emulating = start(['emulate', '--rate', '20', '--retries', 'none', '--wait', '0.3'])
    const [, baseUrl] = await emulating.until(/Service at +(\S+)/)
    const client = createWebhookClient({ baseUrl, apiKey: API_KEY, allowInsecureLoopback: true })
    await client.create({ url: dead, events: EVENTS })
    await emulating.until(/ECONNREFUSED/)
    await client.create({ url: await take(handled), events: EVENTS })
    await expect.poll(() => handled.length).toBeGreaterThan(2)
    emulating.interrupt()
    expect((await emulating.ended).err).toContain('No receiver listens at 127')
  })
})

it('ends after Ctrl-C where no webhook ever came', async () => {
  const emulating = start(['emulate'])
  await emulating.until(/Waiting for a program to register a webhook/)
  emulating.interrupt()
  expect((await emulating.ended).code).toBe(0)
})

it('says that its port is taken: 1', async () => {
  const { port } = new URL(await serving(() => {}))
  const { code, err } = await invoke(['emulate', '--port', port])
  expect(code).toBe(1)
  expect(err).toContain('Use another --port')
})
