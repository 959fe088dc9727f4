import { contract } from '@webhook-receiver/core/internal'
import { webhookHandler } from '@webhook-receiver/node'
import { expect, test } from 'vitest'
import { probesFor } from '../../src/doctor/probes/index.ts'
import { spawnCli } from '../command-line.ts'
import { type Circumstances, invoke, SECRET, words } from '../invoke.ts'
import { OPENSSL, receiver, serving, servingSecurely } from '../receiver.ts'
import { keyedByHeader, PATIENCE, RIGHT, serveByHand } from './receiver-by-hand.ts'

// A receiver reads on for 2 s, in which 10 MiB do not arrive on a busy machine.
const OVERSIZE = 2 * RIGHT.limit
const PROBES = probesFor(contract, OVERSIZE)

const doctor = (args: readonly string[], circumstances: Circumstances = {}) =>
  invoke(words`doctor ${args} --oversize ${OVERSIZE} --timeout ${PATIENCE}`, circumstances)

// `transcripts/doctor.txt` has whole reports.

test('has colours and progress on a terminal', async () => {
  const url = await serveByHand({ time: () => Date.now() / 1000 })
  const { code, out, err } = await doctor([url], { tty: true })
  expect([code, out]).toEqual([1, expect.stringContaining('\u001b[31m✗ Accepts any timestamp')])
  for (const share of ['\u001b[32maccepts', '\u001b[31mrejects']) expect(out).toContain(share)
  expect(err).toContain(`Probe ${PROBES.length} of ${PROBES.length}: ${PROBES.at(-1)?.sends}`)
})

test('finds deduplication on the header through an observing command, as JSON', async () => {
  const url = await serveByHand(keyedByHeader)
  const observe = `curl --silent '${new URL('/runs', url)}?id={id}'`
  const env = { PATH: process.env.PATH }
  const { code, json } = await doctor([url, '--json', '--observe', observe], { env })
  expect(code).toBe(1)
  const probes = ['header-id-reused', 'header-id-changed']
  const faults = [{ code: 'header-id-deduplicated', probes }]
  expect(json).toMatchObject([{ url, ok: false, effects: 'observed', faults }])
  expect(json[0]?.probes).toHaveLength(PROBES.length)
  expect(JSON.stringify(json)).toContain('to run once, but it ran 2 times')
})

test('sends a real event only where one is asked for', async () => {
  const { url, deliveries } = await receiver()
  const events = () => new Set(deliveries.splice(0).map(({ event }) => event))
  expect((await doctor([url])).code).toBe(0)
  expect(events()).toEqual(new Set(['webhook_receiver.probe']))
  expect((await doctor([url, '--event', 'message.read'])).code).toBe(0)
  // One probe is of an event that nobody knows.
  expect(events()).toEqual(new Set(['message.read', 'webhook_receiver.probe']))
})

test.skipIf(!OPENSSL)('speaks https', async () => {
  const listener = webhookHandler(SECRET, () => {}, { onRejected: false })
  const { url, cert } = await servingSecurely('/CN=localhost', listener)
  const env = { WEBHOOK_SECRET: SECRET, NODE_EXTRA_CA_CERTS: cert }
  expect((await spawnCli(['doctor', url, '--oversize', `${OVERSIZE}`], env).ended).code).toBe(0)
  const { code, err } = await doctor([url])
  expect(code).toBe(1)
  expect(err).toMatch(/self-signed\s+certificate[\s\S]*NODE_EXTRA_CA_CERTS/)
})

test('takes a limit that begins later for the cause of what it has rejected', async () => {
  let count = 0
  const receive = webhookHandler(SECRET, () => {}, { onRejected: false })
  const url = await serving((req, res) => {
    count += 1
    if (count <= 20) receive(req, res)
    else req.resume().on('end', () => res.writeHead(429).end())
  })
  const { json } = await doctor([url, '--json'])
  expect(json).toMatchObject([{ faults: [{ code: 'rate-limited' }] }])
  expect(count).toBeLessThan(40)
})

test('asks for no secret where nothing listens', async () => {
  const env = { WEBHOOK_SECRET: undefined }
  const { code, err } = await invoke(['doctor', 'http://127.0.0.1:1/'], { env, tty: true })
  expect([code, err]).toEqual([1, expect.stringContaining('Nothing listens at 127.0.0.1:1.')])
})
