import { createHmac } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { webhookHandler } from '@webhook-receiver/node'
import { listKept, writeCapture } from '@webhook-receiver/quarantine/internal'
import { twilio } from '@webhook-receiver/schemes'
import { expect, it } from 'vitest'
import { folder } from './folder.ts'
import { invoke, words } from './invoke.ts'
import { serving } from './receiver.ts'

const PUBLIC = 'https://example.com'
const secret = 'auth-token'
const env = { WEBHOOK_SECRET: secret }
const OPTIONS = words`--scheme twilio --public-url ${PUBLIC} --may-run-twice`

const redrive = (kept: string, origin: string) =>
  invoke(['redrive', kept, '--to', origin, ...OPTIONS], { env })

/** Of a target that is a whole URL, too (RFC 9112, section 3.2.2). */
const pathOf = (target: string) => target.replace(/^http:\/\/[^/]*/, '')

/** What Twilio sends to `target`. */
function signed(target: string, sid: string) {
  const url = `${PUBLIC}${pathOf(target)}`
  const content = `${url}MessageSid${sid}MessageStatussent`
  const mac = createHmac('sha1', secret).update(content).digest('base64')
  const headers = [
    ['x-twilio-signature', mac],
    ['i-twilio-idempotency-token', sid],
  ] as const
  return { target, headers, body: `MessageSid=${sid}&MessageStatus=sent` }
}

interface Kept {
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** A quarantine with these requests, which arrived one after the other. */
async function quarantined(...requests: readonly Kept[]) {
  const kept = await folder()
  await mkdir(join(kept, 'other'))
  const begun = Date.now() - 10_000
  for (const [index, { body, ...request }] of requests.entries()) {
    const text = writeCapture({
      ...{ ...request, method: 'POST', httpVersion: '1.1', body: Buffer.from(body) },
      receivedAt: begun + index,
    })
    await writeFile(join(kept, 'other', `${String(index).padStart(64, '0')}.json`), text)
  }
  return kept
}

/** A receiver of Twilio, with what it handled by target, and with the signatures of all that it was sent. */
async function receiving() {
  const handled: unknown[] = []
  const signatures: unknown[] = []
  const handle = webhookHandler(
    secret,
    ({ data }, { request }) => void handled.push([request.url, Object(data).MessageSid]),
    { scheme: twilio, publicUrl: PUBLIC, onRejected: false },
  )
  const origin = await serving((req, res) => {
    signatures.push(req.headers['x-twilio-signature'])
    handle(req, res)
  })
  return { origin, handled, signatures }
}

it('sends each request whose URL is signed to its own path and query, with the signature that it has', async () => {
  const sent = ['15', '16', '17'].map((order) => [`/status?order=${order}`, `SM${order}`] as const)
  const orders = sent.map(([target, sid]) => signed(target, sid))
  const kept = await quarantined(...orders)
  const { origin, handled, signatures } = await receiving()
  expect((await redrive(kept, origin)).code).toBe(0)
  expect(handled).toEqual(sent)
  const originals = orders.map(({ headers: [[, signature]] }) => signature)
  expect(signatures).toEqual([expect.stringContaining('redrive tests'), ...originals])
})

it.each([
  'http://evil.example/x',
  '//evil.example/x',
  '/a/../b',
  "/a?b='c'&d=\\",
  '/a%2e/@b?',
  '/',
])('sends the target %s byte for byte, and to no other host', async (target) => {
  const kept = await quarantined(signed(target, 'SM1'))
  const { origin, handled } = await receiving()
  expect((await redrive(kept, origin)).code).toBe(0)
  expect(handled).toEqual([[pathOf(target), 'SM1']])
})

it('sends nothing for the target *, keeps its file and goes on', async () => {
  const kept = await quarantined(signed('*', 'SM1'), signed('/status', 'SM2'))
  const { origin, handled } = await receiving()
  expect((await redrive(kept, origin)).code).toBe(1)
  expect(handled).toEqual([['/status', 'SM2']])
  expect(await listKept(kept)).toHaveLength(1)
})

it('stops at the first path that does not verify, and keeps its file', async () => {
  const kept = await quarantined(signed('/status', 'SM1'), signed('/other?a', 'SM2'))
  const handle = webhookHandler(secret, () => {}, {
    ...{ scheme: twilio, publicUrl: PUBLIC, onRejected: false },
  })
  const origin = await serving((req, res) => {
    if (req.url === '/status') handle(req, res)
    else res.writeHead(204).end()
  })
  const { code, err } = await redrive(kept, origin)
  const said = `${origin}/other responded 204 to a request without a valid signature`
  expect(err.replace(/\s+/g, ' ')).toContain(said)
  expect([code, (await listKept(kept)).length]).toEqual([1, 1])
})
