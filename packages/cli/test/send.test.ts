import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TAMPERINGS } from '@webhook-receiver/emulator/internal'
import { describe, expect, it } from 'vitest'
import { folder } from './folder.ts'
import { invoke, SECRET, start } from './invoke.ts'
import { receiver, serving } from './receiver.ts'

it('sends a delivery that a receiver accepts', async () => {
  const { url, deliveries } = await receiver()
  const data = JSON.stringify({ text: 'hello 👋' })
  const args = ['send', 'message.received', url, '--data', data, '--instance', 'inst_7']
  const { code, out } = await invoke(args)
  expect(code).toBe(0)
  expect(out).toContain(`POST ${url}`)
  expect(out).toContain('\n  "event": "message.received",\n')
  expect(out).toMatch(/\n✓ accepted with 204 \(\d+ ms\)\n$/)
  expect(deliveries[0]).toMatchObject({
    event: 'message.received',
    data: { instance_id: 'inst_7', data: { text: 'hello 👋' } },
  })
})

it('tells the same in JSON', async () => {
  const { url, deliveries } = await receiver()
  const { code, json } = await invoke(['send', 'message.read', url, '--json'])
  expect(code).toBe(0)
  expect(json).toMatchObject([
    { ok: true, sent: { url, id: deliveries[0]?.id }, response: { status: 204, body: '' } },
  ])
})

it('reads the data from a file', async () => {
  const { url, deliveries } = await receiver()
  const file = join(await folder(), 'data.json')
  await writeFile(file, '{"text":"from a file"}')
  expect((await invoke(['send', 'message.sent', url, '--data-file', file])).code).toBe(0)
  expect(deliveries[0]?.data.data).toEqual({ text: 'from a file' })
})

it('sends an event that is not known, and says so', async () => {
  const { url, deliveries } = await receiver()
  const { code, err } = await invoke(['send', 'message.reacted', url])
  expect(code).toBe(0)
  expect(err).toContain(
    'message.reacted is not one of the known events, but is sent anyway. The known ones are message.received,',
  )
  expect(deliveries[0]?.event).toBe('message.reacted')
})

it.each([
  ['"whsec_x"', /quotes/],
  ['whsec_x ', /white space/],
])('warns of the secret %j', async (secret, warning) => {
  const { url } = await receiver()
  const { code, err } = await invoke(['send', 'message.read', url], {
    env: { WEBHOOK_SECRET: secret },
  })
  expect([code, err]).toEqual([1, expect.stringMatching(warning)])
})

describe('with --tamper', () => {
  it.each(TAMPERINGS)('%s is rejected by a receiver that verifies: 0', async (what) => {
    const { url, deliveries } = await receiver()
    const { code, out } = await invoke(['send', 'message.received', url, '--tamper', what])
    expect(code).toBe(0)
    expect(out).toContain('✓ rejected with 401, as expected')
    expect(deliveries).toEqual([])
  })

  it.each(TAMPERINGS)('%s is accepted by one that does not: 1', async (what) => {
    const url = await serving((req, res) => void req.resume().on('end', () => res.end()))
    const { code, out } = await invoke(['send', 'message.received', url, '--tamper', what])
    expect(code).toBe(1)
    expect(out).toMatch(/✗ accepted with 200, expected 4xx/)
    expect(out.replace(/\s+/g, ' ')).toContain('the receiver accepted it: it does not check this')
  })

  it('a 5xx is no rejection: 1', async () => {
    const url = await serving((_, res) => void res.writeHead(500).end())
    const args = ['send', 'message.received', url, '--tamper', 'body', '--json']
    expect(await invoke(args)).toMatchObject({ code: 1, json: [{ ok: false, tamper: 'body' }] })
  })
})

describe('ends with 1 and says what to do', () => {
  it.each([
    [401, /another secret/],
    [404, /Check the path/],
    [302, /not followed/],
    [500, /log of the receiver/],
  ])('after %i', async (status, advice) => {
    const url = await serving((_, res) => void res.writeHead(status).end('because\u001b[2J'))
    const { code, out } = await invoke(['send', 'message.read', url])
    expect(code).toBe(1)
    expect(out).toMatch(advice)
    expect(out).toContain('because\\u001b[2J')
  })

  it('where nothing listens', async () => {
    const { code, out } = await invoke(['send', 'message.read', 'http://127.0.0.1:9/'])
    expect(code).toBe(1)
    expect(out).toMatch(/✗ no response: .*ECONNREFUSED[\s\S]*Check that the receiver is running/)
  })

  it('where no response comes in time', async () => {
    const url = await serving(() => {})
    const { code, json } = await invoke(['send', 'message.read', url, '--timeout', '0.1', '--json'])
    expect(code).toBe(1)
    expect(json[0]?.response).toMatchObject({ status: null, error: 'no response within 0.1 s' })
  })

  it('where the response breaks off', async () => {
    const url = await serving((_, res) => {
      res.writeHead(200, { 'Content-Length': 100 }).write('x')
      setTimeout(() => res.destroy(), 20)
    })
    expect((await invoke(['send', 'message.read', url])).code).toBe(1)
  })
})

it('reads no more than the beginning of a long response', async () => {
  const url = await serving((_, res) => void res.end('x'.repeat(1_000_000)))
  const { code, json } = await invoke(['send', 'message.read', url, '--json'])
  expect(code).toBe(0)
  expect(json[0]?.response).toMatchObject({ body: 'x'.repeat(4096) })
})

it('ends with 130 after Ctrl-C', async () => {
  let arrived = false
  const url = await serving(() => {
    arrived = true
  })
  const sending = start(['send', 'message.read', url])
  await expect.poll(() => arrived).toBe(true)
  sending.interrupt()
  const { code, err } = await sending.ended
  expect(code).toBe(130)
  expect(err).toContain('The receiver may have the delivery.')
})

describe('rejects with 2', () => {
  it.each([
    [['--data', '[1]'], /--data should be a JSON object/],
    [['--data', '{'], /--data should be a JSON object/],
    [['--data-file', '/nowhere'], /--data-file cannot be read/],
    [['--data', '{}', '--data-file', 'x'], /not both/],
    [['--secret-file', '/nowhere'], /^--secret-file cannot be read: ENOENT/],
    [['--secret-file', 'x', '--secret-env', 'Y'], /not both/],
    [['--secret-env', 'A,B'], /The environment variable A is not set/],
    [['--secret-env', 'NOT_SET'], /set NOT_SET in the environment/],
  ])('%j', async (args, message) => {
    const { code, err } = await invoke(['send', 'message.read', 'http://127.0.0.1:9/', ...args])
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it('two secrets to sign with', async () => {
    const args = ['send', 'message.read', 'http://127.0.0.1:9/', '--secret-env', 'A,B']
    const { code, err } = await invoke(args, { env: { A: 'whsec_a', B: 'whsec_b' } })
    expect(code).toBe(2)
    expect(err).toContain('only one can sign')
  })

  it('an empty secret file', async () => {
    const file = join(await folder(), 'secret')
    await writeFile(file, '\n')
    const args = ['send', 'message.read', 'http://127.0.0.1:9/', '--secret-file', file]
    expect((await invoke(args)).code).toBe(2)
  })
})

describe('takes the secret', () => {
  const env = { WEBHOOK_SECRET: undefined }

  it('from a file, without the newline at its end', async () => {
    const { url } = await receiver()
    const file = join(await folder(), 'secret')
    await writeFile(file, `${SECRET}\n`)
    const args = ['send', 'message.read', url, '--secret-file', file]
    expect((await invoke(args, { env })).code).toBe(0)
  })

  it('from a prompt that does not show it', async () => {
    const { url } = await receiver()
    const sending = start(['send', 'message.read', url], { env, tty: true })
    await sending.until(/secret \(not shown\): /)
    sending.stdin.write(`${SECRET}\r`)
    expect((await sending.ended).code).toBe(0)
  })

  it('from nowhere after Ctrl-C at the prompt: 130', async () => {
    const sending = start(['send', 'message.read', 'http://127.0.0.1:9/'], { env, tty: true })
    await sending.until(/secret \(not shown\): /)
    sending.stdin.write('\u0003')
    expect((await sending.ended).code).toBe(130)
  })
})
