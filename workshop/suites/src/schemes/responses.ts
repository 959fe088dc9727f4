import { Agent, type IncomingMessage, request, ServerResponse } from 'node:http'
import { reply, type WebhookReply } from '@webhook-receiver/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { possibleReplies } from './replies.ts'

/** A response as the client has it, with the bytes of its headers as characters. */
export interface Arrived {
  readonly status: number | undefined
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/** Fails unless a reply has arrived as it was made. */
export function expectArrived({ status, headers, body }: Arrived, made: WebhookReply): void {
  const shown = JSON.stringify(made)
  expect(status, shown).toBe(made.status)
  for (const [name, value] of Object.entries(made.headers)) {
    const found = headers.filter(([other]) => other.toLowerCase() === name)
    // In front of a body that is text, Node 20 writes a character above U+007F as UTF-8.
    const forms = [value, Buffer.from(value).toString('latin1')]
    // Koa and Fastify leave out the type of a body that there is not.
    if (name === 'content-type' && [204, 205, 304].includes(made.status)) continue
    expect(found, `${name} of ${shown}`).toHaveLength(1)
    expect(forms, `${name} of ${shown}`).toContain(found[0]?.[1])
  }
  const sent = typeof made.body === 'string' ? Buffer.from(made.body) : (made.body ?? [])
  expect(body.equals(Uint8Array.from(sent)), shown).toBe(true)
}

/** Tests that an adapter sends whatever `reply` makes. `begin` starts it with a function that replies, and returns what a delivery needs. */
export function testReplies(
  begin: (work: () => unknown) => Promise<{
    readonly port: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }>,
): void {
  test('sends every reply that can be made, and the next one behind it', async () => {
    let next = reply()
    const { port, headers, body } = await begin(() => next)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const options = { host: '127.0.0.1', port, agent, path: '/webhooks', method: 'POST', headers }
    const send = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const sending = request(options, resolve)
        sending.on('error', (error) => {
          // The server may close a connection that was idle for long, on a machine that is busy.
          if (sending.reusedSocket) send().then(resolve, reject)
          else reject(error)
        })
        sending.end(body)
      })
    for (next of possibleReplies()) {
      const response = await send()
      const { statusCode: status, rawHeaders } = response
      const chunks = await response.toArray()
      expectArrived({ status, headers: pairs(rawHeaders), body: Buffer.concat(chunks) }, next)
    }
  })
}

/**
 * Tests that what throws while a response is written breaks this response off, and nothing else. `send` sends a request.
 *
 * @param method what the adapter calls to write a response.
 */
export async function expectBrokenOff(
  method: 'end' | 'setHeader' | 'writeHead',
  send: () => Promise<unknown>,
): Promise<void> {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const broken = vi.spyOn(ServerResponse.prototype, method).mockImplementation(() => {
    throw new Error('replaced by another package')
  })
  await expect(send()).rejects.toThrow()
  // On a busy machine, responses to senders of earlier tests may still be written, and are broken off too.
  expect(print.mock.calls).toEqual(
    Array.from(new Set(broken.mock.contexts), () => [
      expect.stringMatching(/The response could not be written.*replaced by another package/s),
    ]),
  )
  print.mockRestore()
  broken.mockRestore()
}

function pairs(raw: readonly string[]): Arrived['headers'] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []))
}
