import { writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { webhookHandler } from '@webhook-receiver/node'
import { describe, expect, it, vi } from 'vitest'
import { folder } from './folder.ts'
import { invoke, SECRET, start } from './invoke.ts'
import { receiver, serving } from './receiver.ts'

it('hands over the event and the data of the command line or of a file', async () => {
  const { url, deliveries } = await receiver()
  const file = join(await folder(), 'data.json')
  await writeFile(file, '{"text":"from a file"}')
  for (const data of [
    ['--data', '{"text":"hello 👋"}'],
    ['--data-file', file],
  ])
    await invoke(['send', 'message.reacted', url, ...data])
  const event = 'message.reacted'
  expect(deliveries).toMatchObject([
    { event, data: { data: { text: 'hello 👋' } } },
    { event, data: { data: { text: 'from a file' } } },
  ])
})

it('shows what a page says, and no script of it, wherever a long one ends', async () => {
  const page = `<!doctype html><p>Not found</p><script>const rows = [${'1,'.repeat(1000)}`
  const url = await serving((_, response) => void response.writeHead(404).end(page))
  const { out } = await invoke(['send', 'message.read', url])
  expect(out).toMatch(/HTML page \(\d+ bytes\): Not found\n/)
})

it('shows the secret that it signs with as the log of the receiver shows it', async () => {
  const lines = vi.spyOn(console, 'error').mockReturnValue()
  const changing = (request: IncomingMessage, response: ServerResponse) => {
    receive(Object.assign(request, { rawBody: Buffer.from('{}') }), response)
  }
  const receive = webhookHandler(SECRET, () => {})
  const { out } = await invoke(['send', 'message.read', await serving(changing)])
  const [, tried] = /Secret fingerprint: (\w{8})\./.exec(String(lines.mock.calls)) ?? []
  expect(out.replaceAll(/\s+/g, ' ')).toContain(`If its log says “Secret fingerprint: ${tried}”`)
})

describe('takes the secret', () => {
  const env = { WEBHOOK_SECRET: undefined }

  it.each([
    [`${SECRET}\r`, 0],
    // Ctrl-C.
    ['\u0003', 130],
  ])('from a prompt that does not show it: %j ends with %i', async (typed, code) => {
    const { url } = await receiver()
    const sending = start(['send', 'message.read', url], { env, tty: true })
    await sending.until(/secret \(not shown\): /)
    sending.stdin.write(typed)
    expect((await sending.ended).code).toBe(code)
  })
})

const SEND = ['send', 'message.read', 'http://localhost:1/']

// What PowerShell 5 passes and writes: arguments without their quotes, and text in UTF-16 or with a mark.
it.each([
  ['--data-file', 'utf16le', 'is in UTF-16'],
  ['--secret-file', 'utf8', 'begins with a byte order mark'],
] as const)('names what is around the text of %s in %s', async (flag, encoding, what) => {
  const path = join(await folder(), 'file')
  await writeFile(path, Buffer.from('\ufeff{"text":"hello"}', encoding))
  const { code, err } = await invoke([...SEND, flag, path])
  expect([code, err.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(what)])
})

it('says that the data is nested too deep', async () => {
  const path = join(await folder(), 'nested')
  await writeFile(path, `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)
  const { code, err } = await invoke([...SEND, '--data-file', path])
  expect([code, err]).toEqual([2, expect.stringContaining('too deep')])
})
