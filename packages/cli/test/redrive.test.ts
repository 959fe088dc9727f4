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
import { invoke, SECRET, start } from './invoke.ts'
import { serving } from './receiver.ts'

const env = { WEBHOOK_SECRET: SECRET, OTHER_SECRET: 'whsec_of-another-webhook' }
const WRONG = 'whsec_deployed-on-a-friday'

const redrive = (folder: string, url: string, ...more: readonly string[]) =>
  invoke(['redrive', folder, '--to', url, '--has-store', ...more], { env })

const listen = async (listener: RequestListener) => `${await serving(listener)}/webhooks`

/** A receiver, and what it has handled. */
async function serve(
  secret: Secrets,
  options: Pick<ReceiverOptions, 'quarantine' | 'now' | 'onRejected'> = {},
) {
  const handled: string[] = []
  const store = memoryStore()
  const handle = async ({ id }: { readonly id: string }) => void handled.push(id)
  const url = await listen(webhookHandler(secret, handle, { store, onRejected: false, ...options }))
  return { url, handled }
}

/** A folder in which a receiver with a wrong secret has kept a delivery for each of these secrets. */
async function quarantined(...secrets: readonly string[]): Promise<string> {
  const folder = `${await temporaryFolder()}/kept`
  const { url } = await serve(WRONG, { quarantine: folderQuarantine(folder) })
  for (const secret of secrets) {
    const { headers, body } = await signDelivery(secret, 'message.received')
    const others = { 'X-Forwarded-User': 'admin', Cookie: 'a=b', 'Content-Type': 'text/json' }
    const sent = { ...headers, ...others }
    const response = await fetch(url, { method: 'POST', headers: sent, body })
    expect(response.status).toBe(401)
  }
  expect(await listKept(folder)).toHaveLength(secrets.length)
  return folder
}

test('sends only the body, the headers of the signature, Content-Type and its own name', async () => {
  const folder = await quarantined(SECRET, SECRET)
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
  const folder = await quarantined(SECRET)
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

test('hands no delivery of one webhook to the receiver of another', async () => {
  const folder = await quarantined(SECRET, env.OTHER_SECRET)
  const { url, handled } = await serve(SECRET)
  const both = ['--secret-env', 'WEBHOOK_SECRET,OTHER_SECRET']
  const { code, err } = await redrive(folder, url, ...both)
  expect(code).toBe(1)
  expect(err).toMatch(/responded 401 to a delivery that is signed with\s+OTHER_SECRET:/)
  expect(handled).toHaveLength(1)
  expect(await listKept(folder)).toHaveLength(1)
})

test('does not take what was too old when it arrived, unless the clock of the receiver was wrong', async () => {
  const folder = `${await temporaryFolder()}/kept`
  const now = Date.now() - 86_400_000
  const old = { quarantine: folderQuarantine(folder), now: () => now }
  const receiver = await serve(SECRET, old)
  const { headers, body } = await signDelivery(SECRET, 'message.received', {
    now: () => now - 7_200_000,
  })
  expect((await fetch(receiver.url, { method: 'POST', headers, body })).status).toBe(401)
  const { url, handled } = await serve(SECRET)
  const first = await redrive(folder, url)
  expect([first.code, first.out]).toEqual([1, expect.stringContaining('timestamp_too_old')])
  expect(handled).toEqual([])
  const tolerant = ['redrive', folder, '--dry-run', '--tolerance', '7201']
  expect((await invoke(tolerant, { env })).out).toMatch(/^✓ deliverable /)
  expect((await redrive(folder, url, '--clock-offset', '7200')).code).toBe(1)
  expect((await redrive(folder, url, '--clock-offset', '-7200')).code).toBe(0)
  expect(handled).toHaveLength(1)
})

test('sends the same delivery again after Retry-After, before all later ones', async () => {
  const folder = await quarantined(SECRET, SECRET, SECRET)
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
  const folder = await quarantined(SECRET, SECRET)
  let sent = false
  const url = await listen(() => {
    sent = true
  })
  const running = start(['redrive', folder, '--to', url, '--has-store'], { env })
  await expect.poll(() => sent).toBe(true)
  running.interrupt()
  const { code, err } = await running.ended
  expect([code, err]).toEqual([130, 'Interrupted. 2 in the quarantine: 1 failed, 1 left.\n'])
  expect(await listKept(folder)).toHaveLength(2)
})

test('says that the quarantine is empty, without asking for a secret', async () => {
  const folder = await quarantined(SECRET)
  const { url } = await serve(SECRET)
  expect((await redrive(folder, url)).err).toBe('1 in the quarantine: 1 delivered.\n')
  const again = await invoke(['redrive', folder, '--dry-run'], { env: { WEBHOOK_SECRET: '' } })
  expect(again).toMatchObject({ code: 0, out: '', err: 'Nothing is in the quarantine.\n' })
})

test('puts the file of what is wrong below its line on a terminal, and names no other', async () => {
  const folder = await quarantined(SECRET, WRONG.toUpperCase())
  const size = { columns: 80, rows: 24 }
  const colourless = { ...env, NO_COLOR: '1' }
  const { out } = await invoke(['redrive', folder, '--dry-run'], {
    env: colourless,
    tty: true,
    size,
  })
  const [deliverable, rejected, file] = out.split('\n')
  expect(deliverable).toMatch(/^✓ deliverable {2}message\.received +[\da-f]{8}$/)
  expect(rejected).toMatch(/^✗ rejected +message\.received +[\da-f]{8} {2}signature_mismatch$/)
  expect(file).toMatch(/^ {2}other\/[\da-f]{64}\.json$/)
})

test('prints a next command that verifies as the dry run did', async () => {
  const folder = await quarantined(SECRET)
  const more = ['--dry-run', '--tolerance', '7200', '--clock-offset', '-60']
  const { err } = await invoke(['redrive', folder, ...more], { env })
  expect(err).toContain(
    `Send it: npx webhook-receiver redrive ${folder} --tolerance 7200 --clock-offset -60 --to URL --has-store\n`,
  )
})

test('asks to run it again for the one that is left', async () => {
  const folder = await quarantined(SECRET)
  let requests = 0
  const url = await listen((_, res) => void res.writeHead(++requests === 1 ? 401 : 503).end())
  const { err } = await redrive(folder, url)
  expect(err).toContain('1 in the quarantine: 1 postponed.\n')
  expect(err.replaceAll(/\s+/g, ' ')).toContain('Run this again for the one that is left.')
})

test.each([
  ['each request', [404, 404], 'responded 404 to all requests. Check the path of --to, and run'],
  ['one delivery', [401, 404, 204], '2 in the quarantine: 1 failed, 1 delivered.'],
])('after a 404 to %s it says what to do', async (_, statuses, said) => {
  const folder = await quarantined(SECRET, SECRET)
  const left = [...statuses]
  const url = await listen((_req, res) => void res.writeHead(left.shift() ?? 500).end())
  const { code, err } = await redrive(folder, url)
  expect([code, err.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(said)])
  expect(left).toEqual([])
})
