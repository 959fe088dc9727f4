import type { IncomingMessage, ServerResponse } from 'node:http'
import { webhookHandler } from '@webhook-receiver/node'
import { describe, expect, it, vi } from 'vitest'
import { invoke, SECRET, start } from './invoke.ts'
import { receiver, serving } from './receiver.ts'

// `transcripts/send.txt` has what it prints.

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
