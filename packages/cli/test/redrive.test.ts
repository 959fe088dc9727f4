import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { memoryStore, type ReceiverOptions } from '@webhook-receiver/core'
import type { Secrets } from '@webhook-receiver/core/internal'
import { signDelivery } from '@webhook-receiver/core/testing'
import { webhookHandler } from '@webhook-receiver/node'
import { folderQuarantine } from '@webhook-receiver/quarantine'
import { listKept } from '@webhook-receiver/quarantine/internal'
import { expect, test } from 'vitest'
import { folder as temporaryFolder } from './folder.ts'
import { invoke, SECRET, start, words } from './invoke.ts'
import { serving } from './receiver.ts'

const env = { WEBHOOK_SECRET: SECRET }
const WRONG = 'whsec_deployed-on-a-friday'

const redrive = (folder: string, url: string, ...more: readonly string[]) =>
  invoke(words`redrive ${folder} --to ${url} --has-store ${more}`, { env })

const listen = async (listener: RequestListener) => `${await serving(listener)}/webhooks`

/** A receiver, and what it has handled. */
async function serve(
  secret: Secrets,
  options: Pick<ReceiverOptions, 'quarantine' | 'onRejected'> = {},
) {
  const handled: string[] = []
  const store = memoryStore()
  const handle = async ({ id }: { readonly id: string }) => void handled.push(id)
  const url = await listen(webhookHandler(secret, handle, { store, onRejected: false, ...options }))
  return { url, handled }
}

/** A folder in which a receiver with a wrong secret has kept so many deliveries. */
async function quarantined(count: number) {
  const folder = `${await temporaryFolder()}/kept`
  const { url } = await serve(WRONG, { quarantine: folderQuarantine(folder) })
  for (let sent = 0; sent < count; sent++) {
    const { headers, body } = await signDelivery(SECRET, 'message.received')
    const others = { 'X-Forwarded-User': 'admin', Cookie: 'a=b', 'Content-Type': 'text/json' }
    const init = { method: 'POST', headers: { ...headers, ...others }, body }
    const response = await fetch(url, init)
    expect(response.status).toBe(401)
  }
  expect(await listKept(folder)).toHaveLength(count)
  return folder
}

// `transcripts/redrive.txt` has what it prints.

test('sends only the body, the headers of the signature, Content-Type and its own name', async () => {
  const folder = await quarantined(2)
  const [name = ''] = await listKept(folder)
  // Also where somebody has put another header into a file.
  const kept = JSON.parse(await readFile(join(folder, name), 'utf8'))
  const headers = [...kept.headers, ['X-Forwarded-User', 'admin']]
  await writeFile(join(folder, name), JSON.stringify({ ...kept, headers }))
  const requests: IncomingHttpHeaders[] = []
  const url = await listen(({ headers }, res) => {
    res.writeHead(requests.push(headers) === 1 ? 401 : 204).end()
  })
  const { code } = await redrive(folder, url)
  expect(code).toBe(0)
  const plain = ['connection', 'content-length', 'content-type', 'host', 'user-agent']
  const signed = [...plain, 'x-webhook-id', 'x-webhook-signature', 'x-webhook-timestamp']
  expect(requests.map((sent) => Object.keys(sent).sort())).toEqual([
    [...plain, 'x-webhook-signature'],
    signed,
    signed,
  ])
  expect(requests).toMatchObject(Array(3).fill({ 'content-type': 'text/json' }))
})

test('causes one rejection, which names it, warns of no proxy, and is not kept by the quarantine', async () => {
  const folder = await quarantined(1)
  const quarantine = folderQuarantine(`${await temporaryFolder()}/kept-by-the-receiver`)
  const rejected: unknown[] = []
  const { url } = await serve(SECRET, {
    quarantine,
    onRejected: ({ reason, quarantined, detail, remote }) =>
      void rejected.push([reason, quarantined, detail, remote.userAgent]),
  })
  const { code } = await redrive(folder, url)
  expect(code).toBe(0)
  const detail = expect.not.stringContaining('proxy')
  const agent = 'webhook-receiver-redrive'
  expect(rejected).toEqual([['signature_malformed', undefined, detail, agent]])
})

test('sends the same delivery again after Retry-After, before all later ones', async () => {
  const folder = await quarantined(3)
  const { url: receiver, handled } = await serve(SECRET)
  const ids: (string | undefined)[] = []
  const url = await listen(async (req, res) => {
    const body = await buffer(req)
    const { id } = JSON.parse(body.toString())
    ids.push(id)
    // Each is sent twice: the one without a valid signature, which has no id, and the deliveries.
    if (ids.filter((other) => other === id).length === 1) {
      res.writeHead(ids.length % 4 === 1 ? 429 : 503, { 'Retry-After': '0' }).end()
      return
    }
    const headers = new Headers(req.headers as Record<string, string>)
    const { status } = await fetch(receiver, { method: 'POST', headers, body })
    res.writeHead(status).end()
  })
  const { code, err } = await redrive(folder, url)
  expect([code, err]).toEqual([0, expect.stringContaining('responded 429, Retry-After: 0\n')])
  expect(ids).toEqual([undefined, ...handled].flatMap((id) => [id, id]))
  expect(await listKept(folder)).toEqual([])
})

test('ends at Ctrl-C, also while it waits for a response', async () => {
  const folder = await quarantined(2)
  let sent = false
  const url = await listen(() => {
    sent = true
  })
  const running = start(words`redrive ${folder} --to ${url} --has-store`, { env })
  await expect.poll(() => sent).toBe(true)
  running.interrupt()
  const { code, err } = await running.ended
  expect([code, err]).toEqual([130, 'Interrupted. 2 in the quarantine: 1 failed, 1 left.\n'])
  expect(await listKept(folder)).toHaveLength(2)
})
