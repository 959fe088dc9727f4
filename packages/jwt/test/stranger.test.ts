import { readFile } from 'node:fs/promises'
import { createReceiver, type Scheme } from '@webhook-receiver/core'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { netlify } from './stranger.ts'

test('a stranger adds a service in at most 20 lines', async () => {
  const lines = (await readFile(new URL('stranger.ts', import.meta.url), 'utf8')).trim().split('\n')
  expect(lines.length).toBeLessThanOrEqual(20)
  const secret = 'the secret of a notification'
  const body = JSON.stringify({ id: 'd1', state: 'ready' })
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  const signed = await new SignJWT({ iss: 'netlify', sha256: Buffer.from(digest).toString('hex') })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret))
  const sent = (text: string) =>
    new Request('https://example.com', {
      method: 'POST',
      headers: { 'x-webhook-signature': signed },
      body: text,
    })
  const receiver = createReceiver(secret, { scheme: netlify as Scheme, onRejected: false })
  expect((await receiver.receiveRequest(sent(body))).delivery).toMatchObject({
    id: 'd1',
    event: 'ready',
  })
  await expect(receiver.receiveRequest(sent(`${body} `))).rejects.toMatchObject({ status: 401 })
})
