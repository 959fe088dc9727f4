import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReceiverOptions } from '@webhook-receiver/core'
import { memoryStore } from '@webhook-receiver/core/handling'
import { signDelivery } from '@webhook-receiver/core/testing'
import { deliveryHandler, webhookListener } from '@webhook-receiver/node'
import { folderQuarantine, listKept, redrive } from '@webhook-receiver/quarantine'
import { expect, onTestFinished, test } from 'vitest'
import { folder as temporaryFolder } from './folder.ts'
import { invoke, SECRET } from './invoke.ts'

const env = { WEBHOOK_SECRET: SECRET }
const WRONG = 'whsec_deployed-on-a-friday'

/** A receiver on a port of its own, with what it has handled. */
async function serve(secret: string, options: Pick<ReceiverOptions, 'quarantine'> = {}) {
  const handled: string[] = []
  const store = memoryStore()
  const handler = deliveryHandler({ any: async ({ id }) => void handled.push(id) }, { store })
  const server = createServer(
    webhookListener(secret, handler, { onRejected: false, ...options }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`, handled }
}

/** A folder in which a receiver with a wrong secret has kept genuine deliveries and forgeries. */
async function quarantined(genuine: number, forged: number): Promise<string> {
  const folder = `${await temporaryFolder()}/kept`
  const { url } = await serve(WRONG, { quarantine: folderQuarantine(folder) })
  for (let index = 0; index < genuine + forged; index++) {
    const secret = index < genuine ? SECRET : 'whsec_forger'
    const { headers, body } = await signDelivery(secret, 'message.received')
    const response = await fetch(url, { method: 'POST', headers, body })
    expect(response.status).toBe(401)
  }
  expect(await listKept(folder)).toHaveLength(genuine + forged)
  return folder
}

test('sends what is genuine to the receiver, once, and drops the rest when asked', async () => {
  const folder = await quarantined(3, 2)
  const { url, handled } = await serve(SECRET)
  const first = await invoke(['redrive', folder, '--to', url, '--json'], { env })
  expect(first.code).toBe(0)
  expect(first.json.map(({ outcome }) => outcome).sort()).toEqual([
    ...Array(3).fill('delivered'),
    ...Array(2).fill('rejected'),
  ])
  expect(first.err).toContain('5 of 5 requests: 3 delivered, 2 rejected.')
  expect(new Set(handled).size).toBe(3)
  expect(await listKept(folder)).toHaveLength(2)
  const second = await invoke(['redrive', folder, '--to', url, '--drop'], { env })
  expect(second.code).toBe(1)
  expect(second.err).toContain('Nothing was dropped')
  expect(handled).toHaveLength(3)
})

test('drops forgeries beside something genuine', async () => {
  const folder = await quarantined(1, 2)
  const { url } = await serve(SECRET)
  const { code, err } = await invoke(['redrive', folder, '--to', url, '--drop'], { env })
  expect(err).toContain('1 delivered, 2 dropped')
  expect(code).toBe(0)
  expect(await listKept(folder)).toEqual([])
})

test('a dry run verifies, sends nothing and removes nothing', async () => {
  const folder = await quarantined(1, 1)
  const { code, out, err } = await invoke(['redrive', folder, '--dry-run', '--drop'], { env })
  expect([code, err]).toEqual([0, '2 of 2 requests: 1 genuine, 1 rejected.\n'])
  expect(out).toMatch(/^genuine .*\nrejected {2}signature_mismatch /)
  expect(await listKept(folder)).toHaveLength(2)
})

test('stops at the first 401, since the receiver has another secret', async () => {
  const folder = await quarantined(3, 0)
  const { url, handled } = await serve('whsec_other')
  const { code, err } = await invoke(['redrive', folder, '--to', url], { env })
  expect(code).toBe(1)
  expect(err).toContain('it has another secret, or its clock is wrong. Stopped: 1 of 3 requests')
  expect(handled).toEqual([])
  expect(await listKept(folder)).toHaveLength(3)
})

test('removes nothing for a server that answers 2xx to everything', async () => {
  const folder = await quarantined(2, 0)
  const requests: unknown[] = []
  const server = createServer(({ headers }, res) => {
    requests.push(headers['x-webhook-signature'])
    res.end('hello')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { code, err } = await invoke(['redrive', folder, '--to', url], { env })
  expect(code).toBe(1)
  expect(err).toContain(`${url} answered 200 to a request without a signature`)
  expect(requests).toEqual([undefined])
  expect(await listKept(folder)).toHaveLength(2)
})

test('waits for a server without an answer once for each file, and asks again after a 503', async () => {
  const folder = await quarantined(2, 0)
  const requests: unknown[] = []
  const answers = [503, 503, 200]
  const server = createServer(({ headers }, res) => {
    requests.push(headers['x-webhook-signature'] !== undefined)
    res.writeHead(answers.shift() ?? 200).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?key=in-the-query`
  const { code, err } = await invoke(['redrive', folder, '--to', url], { env })
  expect(code).toBe(1)
  expect(err).toContain('answered 200 to a request without a signature')
  expect(err).not.toContain('in-the-query')
  // Of the first file both were answered 503.
  expect(requests).toEqual([false, true, false])
  expect(await listKept(folder)).toHaveLength(2)

  const silent = createServer(() => void requests.push('silent')).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => {
    silent.close()
    silent.closeAllConnections()
  })
  const nowhere = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  const second = await invoke(['redrive', folder, '--to', nowhere, '--timeout', '0.2'], { env })
  expect(second.err).toContain('2 of 2 requests: 2 failed.')
  expect(requests.slice(3)).toEqual(['silent', 'silent'])
})

test('does not begin while another redrive of the folder runs', async () => {
  const folder = await quarantined(2, 0)
  const { url, handled } = await serve(SECRET)
  const other = redrive(folder, { secret: SECRET, deliver: async () => undefined })
  await other.next()
  const { code, err } = await invoke(['redrive', folder, '--to', url], { env })
  expect(code).toBe(1)
  expect(err).toMatch(/^Another redrive of this folder is running/)
  await other.return()
  expect(handled).toEqual([])
  expect((await invoke(['redrive', folder, '--to', url], { env })).code).toBe(0)
})

// A folder that not even root can write.
test.skipIf(process.platform !== 'linux')('says that it cannot write the folder', async () => {
  const { url } = await serve(SECRET)
  const { code, err } = await invoke(['redrive', '/proc', '--to', url], { env })
  expect(code).toBe(1)
  expect(err).toMatch(/^E[A-Z]+: .+\n$/)
})

test('keeps what the receiver could not handle', async () => {
  const folder = await quarantined(1, 0)
  const closed = 'http://127.0.0.1:1/webhooks'
  const { code, err } = await invoke(['redrive', folder, '--to', closed], { env })
  expect(code).toBe(1)
  expect(err).toContain('1 failed')
  expect(await listKept(folder)).toHaveLength(1)
})

test('lists and shows without a secret', async () => {
  const folder = await quarantined(1, 0)
  const list = await invoke(['redrive', folder, '--list', '--json'])
  expect(list.json).toEqual([
    expect.objectContaining({
      reason: 'signature_mismatch',
      authentic: false,
      address: '127.0.0.1',
    }),
  ])
  expect((await invoke(['redrive', folder, '--list'])).out).toContain('signature_mismatch')
  const show = await invoke(['redrive', folder, '--show', String(list.json[0]?.file)])
  expect(show.code).toBe(0)
  expect(show.out).toContain('rejected: 401 signature_mismatch\nfrom: 127.0.0.1\nsecrets tried: ')
  expect(show.out).toMatch(/POST \/webhooks\n(.+: .+\n)+\n\{"id":/)
  expect((await invoke(['redrive', folder, '--show', '../x'])).code).toBe(2)
  expect((await invoke(['redrive', folder, '--show', 'x.json'])).code).toBe(1)
})

test('reports that a folder has no requests', async () => {
  const { code, err } = await invoke(['redrive', await temporaryFolder(), '--dry-run'], { env })
  expect(code).toBe(0)
  expect(err).toBe('There are no requests in the folder.\n')
})

test('rejects a command line with none or two of the things to do', async () => {
  const folder = await quarantined(1, 0)
  expect((await invoke(['redrive', folder], { env })).code).toBe(2)
  const both = ['redrive', folder, '--dry-run', '--to', 'http://localhost']
  expect((await invoke(both, { env })).code).toBe(2)
  expect((await invoke(['redrive', `${folder}/nowhere`, '--list'])).code).toBe(2)
})
