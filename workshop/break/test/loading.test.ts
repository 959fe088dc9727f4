import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { FRAMEWORKS, PART } from '@webhook-receiver/checks/lists.mjs'
import type { Application } from '@webhook-receiver/checks/program.mjs'
import { createDelivery, signedRequest } from '@webhook-receiver/checks/signing.mjs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PROGRAM, SECRET, start } from './receiver.ts'

const KINDS = PART ? ['express', 'hono', 'request'] : [...FRAMEWORKS, 'node', 'request']

/** Descriptors that the process may have: about twice as many as it needs to start. */
const DESCRIPTORS = 64

describe('a receiver, with onAccepted,', () => {
  test.runIf(process.platform === 'linux').each(KINDS)(
    'rejects and accepts while no file descriptor is free, and afterwards: %s',
    async (kind) => {
      const limited = ['-c', `ulimit -n ${DESCRIPTORS}; exec "$0" "$@"`, process.execPath]
      const args = [...limited, PROGRAM, kind, '{"onAccepted":true}']
      const receiver = await start(args, { command: 'sh', env: { NODE_ENV: 'development' } })
      const kept = new Agent({ keepAlive: true, maxSockets: 1 })
      onTestFinished(() => kept.destroy())
      // The connection that is used later; the first request on it brings nothing to reject or to accept.
      await statusOf(receiver, kept)
      const idle = await exhaust(receiver)
      await expectVerdicts(receiver, kept)
      for (const socket of idle) socket.destroy()
      await expect.poll(() => descriptors(receiver)).toBeLessThan(DESCRIPTORS - 10)
      await expectVerdicts(receiver)
      expect(receiver.child.exitCode).toBe(null)
    },
  )
})

/** Three forgeries with valid deliveries between them. */
async function expectVerdicts(receiver: Application, agent: Agent | false = false): Promise<void> {
  const statuses: unknown[] = []
  for (let times = 0; times < 3; times++) {
    for (const secret of ['whsec_another', SECRET]) {
      const sent = signedRequest(secret, createDelivery('message.received'))
      statuses.push(await statusOf(receiver, agent, sent))
    }
  }
  expect(statuses.map((status) => (status === 200 ? 204 : status))).toEqual([
    401, 204, 401, 204, 401, 204,
  ])
}

/** Without a delivery the request is for a path where nothing is. */
function statusOf(
  { port }: Application,
  agent: Agent | false,
  sent?: ReturnType<typeof signedRequest>,
): Promise<unknown> {
  const target = sent
    ? { method: 'POST', path: '/webhooks', headers: sent.headers }
    : { path: '/nothing-here' }
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, agent, ...target }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    outgoing.once('error', resolve)
    outgoing.end(sent?.body)
  })
}

/** Opens connections until the process has no descriptor left. */
async function exhaust(receiver: Application): Promise<readonly Socket[]> {
  const idle = Array.from({ length: 2 * DESCRIPTORS }, () =>
    connect(receiver.port, '127.0.0.1').on('error', () => {}),
  )
  onTestFinished(() => {
    for (const socket of idle) socket.destroy()
  })
  await expect.poll(() => descriptors(receiver)).toBeGreaterThan(DESCRIPTORS - 2)
  return idle
}

function descriptors({ child }: Application): number {
  return readdirSync(`/proc/${child.pid}/fd`).length
}
