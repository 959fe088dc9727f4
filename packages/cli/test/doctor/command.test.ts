import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { webhookHandler } from '@webhook-receiver/node'
import { expect, onTestFinished, test } from 'vitest'
import { PROBES } from '../../src/doctor/probes/index.ts'
import { spawnCli } from '../command-line.ts'
import { folder } from '../folder.ts'
import { type Circumstances, invoke, SECRET, start } from '../invoke.ts'
import { serving } from '../receiver.ts'
import { PATIENCE } from './doctor-report.ts'
import { COMMON, startFaulty } from './faulty-receiver.ts'

const doctor = (args: readonly string[], circumstances: Circumstances = {}) =>
  invoke(['doctor', ...args, '--timeout', `${PATIENCE}`], circumstances)

test('exits 0 and prints one sentence of at most 80 columns without colours where all passed', async () => {
  const { code, out } = await doctor([await startFaulty({}, SECRET)])
  expect(code).toBe(0)
  expect(out.replace(/\s+/g, ' ')).toBe(
    `Nothing is wrong: ${PROBES.length - 4} of ${PROBES.length} probes passed, 4 cannot be seen from outside (add --observe to check whether the handler ran). `,
  )
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
})

test('exits 1, in colours on a terminal, with progress on standard error', async () => {
  const url = await startFaulty(COMMON['any-timestamp'], SECRET)
  const { code, out, err } = await doctor([url], { tty: true })
  expect(code).toBe(1)
  expect(out).toContain('\u001b[1m1. The receiver accepts any timestamp')
  expect(err).toContain(`${PROBES.length}/${PROBES.length} ${PROBES.at(-1)?.id}`)
})

test('finds deduplication on the header through an observing command, as JSON', async () => {
  const url = await startFaulty(COMMON['dedupes-on-header'], SECRET)
  const observe = `curl --silent '${new URL('/runs', url)}?id={id}'`
  const env = { PATH: process.env.PATH }
  const { code, json } = await doctor([url, '--json', '--observe', observe], { env })
  expect(code).toBe(1)
  const probes = ['header-id-reused', 'header-id-changed']
  const faults = [{ code: 'header-id-deduplicated', probes }]
  expect(json).toMatchObject([{ url, ok: false, effects: 'observed', faults }])
  expect(json[0]?.probes).toHaveLength(PROBES.length)
})

test('sends a real event only where one is asked for', async () => {
  const events = new Set<string>()
  const options = { onRejected: false } as const
  const url = await serving(webhookHandler(SECRET, ({ event }) => void events.add(event), options))
  expect((await doctor([url])).code).toBe(0)
  expect([...events]).toEqual(['webhook_receiver.probe'])
  expect((await doctor([url, '--event', 'message.read'])).code).toBe(0)
  expect([...events]).toEqual(['webhook_receiver.probe', 'message.read'])
})

test.skipIf(spawnSync('openssl', ['version']).status !== 0)('speaks https', async () => {
  const directory = await folder()
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext'.split(' ')
  const args = [...request, 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert]
  execFileSync('openssl', args, { stdio: 'ignore' })
  const listener = webhookHandler(SECRET, () => {}, { onRejected: false })
  const credentials = { key: readFileSync(key), cert: readFileSync(cert) }
  const server = createServer(credentials, listener).listen(0, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`
  const env = { WEBHOOK_SECRET: SECRET, NODE_EXTRA_CA_CERTS: cert }
  expect((await spawnCli(['doctor', url], env).ended).code).toBe(0)
  const { code, err } = await doctor([url])
  expect(code).toBe(1)
  expect(err).toMatch(/self-signed\s+certificate[\s\S]*NODE_EXTRA_CA_CERTS/)
})

test('ends after the probe under way when it is interrupted', async () => {
  const running = start(['doctor', await startFaulty({}, SECRET)])
  running.interrupt()
  const { code, err } = await running.ended
  expect([code, err]).toEqual([130, expect.stringMatching(/Interrupted\. \d of \d+ probes/)])
})

test('asks for the secret at a terminal and does not show it', async () => {
  const env = { WEBHOOK_SECRET: undefined }
  const running = start(['doctor', 'http://127.0.0.1:1/'], { env, tty: true })
  await running.until(/not shown/)
  running.stdin.write(`${SECRET}\r`)
  expect((await running.ended).code).toBe(1)
})
