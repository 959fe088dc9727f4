import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signedRequest } from './wire.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SECRET = 'whsec_loading'
const KINDS = ['express', 'fastify', 'hono', 'koa', 'node', 'request']

/** Descriptors that the process may have: about twice as many as it needs to start. */
const DESCRIPTORS = 64

interface Receiver {
  readonly child: ChildProcess
  readonly port: number
  readonly stderr: () => string
}

describe('a receiver, with onAccepted and the diagnosis on,', () => {
  test.runIf(process.platform === 'linux').each(KINDS)(
    'refuses and accepts while no file descriptor is free, and afterwards: %s',
    { timeout: 60_000 },
    async (kind) => {
      const program = join(ROOT, 'packages/faults/uploads/receiver.mjs')
      const limited = `ulimit -n ${DESCRIPTORS}; exec "$0" "$@"`
      const receiver = await start('sh', ['-c', limited, process.execPath, program, kind, 'told'])
      const kept = new Agent({ keepAlive: true, maxSockets: 1 })
      onTestFinished(() => kept.destroy())
      // The connection that is used later; the first request on it brings nothing to refuse or to accept.
      await statusOf(receiver, kept, { method: 'GET', path: '/nothing-here' })
      const idle = await exhaust(receiver)
      await expectVerdicts(receiver, kept)
      for (const socket of idle) socket.destroy()
      await expect.poll(() => descriptors(receiver)).toBeLessThan(DESCRIPTORS - 10)
      await expectVerdicts(receiver)
      expect(complaints(receiver)).toBeLessThanOrEqual(1)
      expect(receiver.child.exitCode).toBe(null)
    },
  )

  test.each(KINDS)(
    'refuses and accepts when node_modules was moved away under it: %s',
    { timeout: 60_000 },
    async (kind) => {
      const folder = installation()
      const program = join(folder, 'uploads/receiver.mjs')
      const receiver = await start(process.execPath, [program, kind, 'told'])
      renameSync(join(folder, 'node_modules'), join(folder, 'moved'))
      await expectVerdicts(receiver)
      expect(complaints(receiver)).toBe(1)
      renameSync(join(folder, 'moved'), join(folder, 'node_modules'))
      await expectVerdicts(receiver)
      expect(complaints(receiver)).toBe(1)
      expect(receiver.child.exitCode).toBe(null)
    },
  )
})

/** Three forgeries with genuine deliveries between them. */
async function expectVerdicts(receiver: Receiver, agent: Agent | false = false): Promise<void> {
  const statuses: unknown[] = []
  for (let times = 0; times < 3; times++) {
    const [genuine, forged] = [signedRequest(SECRET), signedRequest('whsec_another')]
    statuses.push(await statusOf(receiver, agent, forged), await statusOf(receiver, agent, genuine))
  }
  expect(statuses.map((status) => (status === 200 ? 204 : status))).toEqual([
    401, 204, 401, 204, 401, 204,
  ])
}

type Sent = { readonly method: string; readonly path: string } | ReturnType<typeof signedRequest>

function statusOf({ port }: Receiver, agent: Agent | false, sent: Sent): Promise<unknown> {
  const [, ...lines] = 'head' in sent ? sent.head.trimEnd().split('\r\n') : []
  const headers = Object.fromEntries(
    lines.map((line) => line.split(': ')).filter(([name]) => name !== 'Connection'),
  )
  const { method, path } = 'head' in sent ? { method: 'POST', path: '/webhooks' } : sent
  return new Promise((resolve) => {
    const outgoing = request(
      { host: '127.0.0.1', port, agent, method, path, headers },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode))
      },
    )
    outgoing.once('error', resolve)
    outgoing.end('head' in sent ? sent.body : undefined)
  })
}

/** Opens connections until the process has no descriptor left. */
async function exhaust(receiver: Receiver): Promise<readonly Socket[]> {
  const idle = Array.from({ length: 2 * DESCRIPTORS }, () =>
    connect(receiver.port, '127.0.0.1').on('error', () => {}),
  )
  onTestFinished(() => {
    for (const socket of idle) socket.destroy()
  })
  await expect
    .poll(() => descriptors(receiver), { timeout: 10_000 })
    .toBeGreaterThan(DESCRIPTORS - 2)
  return idle
}

function descriptors({ child }: Receiver): number {
  return readdirSync(`/proc/${child.pid}/fd`).length
}

/** How often it was said that the diagnosis failed, or that its package is not there. */
function complaints({ stderr }: Receiver): number {
  return stderr().split(/The diagnosis failed;|npm install @webhook-receiver\/diagnose/).length - 1
}

/** The packages as they are installed: files of their own, beside links to what they depend on. */
function installation(): string {
  const folder = mkdtempSync(join(tmpdir(), 'installation-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['core', 'diagnose', 'node', 'express', 'koa', 'fastify', 'hono']) {
    for (const part of ['package.json', 'dist']) {
      const target = join(folder, 'node_modules/@webhook-receiver', name, part)
      cpSync(join(ROOT, 'packages', name, part), target, { recursive: true })
    }
  }
  const dependencies = {
    'packages/node': ['raw-body'],
    'packages/fastify': ['fastify-plugin'],
    'packages/tools': ['express', 'koa', 'fastify', 'hono', '@hono/node-server'],
  }
  for (const [owner, names] of Object.entries(dependencies)) {
    for (const name of names) {
      const target = join(folder, 'node_modules', name)
      mkdirSync(dirname(target), { recursive: true })
      symlinkSync(join(ROOT, owner, 'node_modules', name), target)
    }
  }
  const tools = join(folder, 'node_modules/@webhook-receiver/tools')
  for (const file of ['package.json', 'applications.mjs']) {
    cpSync(join(ROOT, 'packages/tools', file), join(tools, file))
  }
  cpSync(join(ROOT, 'packages/faults/uploads/receiver.mjs'), join(folder, 'uploads/receiver.mjs'))
  return folder
}

async function start(command: string, args: readonly string[]): Promise<Receiver> {
  const { NODE_OPTIONS, ...env } = process.env
  const child = spawn(command, args, {
    env: { ...env, NODE_ENV: 'development', PORT: '0', WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    if (child.kill('SIGKILL')) await ended
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const port = () => Number(/^Listening on http:\S*:(\d+)\b/m.exec(stderr)?.[1] ?? 0)
  await expect.poll(port, { timeout: 20_000 }).toBeGreaterThan(0)
  return { child, port: port(), stderr: () => stderr }
}
