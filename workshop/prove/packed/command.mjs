import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { freePorts } from '../free-ports.mjs'
import { startProgram } from '../program.mjs'
import { run } from '../step.mjs'

/** The command as somebody types it: by npx in an empty folder, then installed, with the lines that it prints itself. */
export async function tryCommand(context) {
  const { registry } = context
  const { 'webhook-receiver': tarball } = registry.packages
  const empty = context.path('npx')
  await mkdir(empty, { recursive: true })
  await registry.writeSettings(empty)
  // What npx has installed before has the same version.
  const cache = { NPM_CONFIG_CACHE: context.path('npx-cache') }
  const options = { cwd: empty, env: { ...registry.environment(), ...cache } }
  for (const address of [tarball, 'webhook-receiver']) {
    assert.match(await run('npx', ['-y', address, '--help'], options), /^Usage: webhook-receiver /)
  }

  const folder = await context.installed(
    'command',
    { 'webhook-receiver': tarball },
    { manager: 'npm', flags: ['--save-dev'] },
  )
  // Nothing else than what is installed.
  const env = { ...process.env, NPM_CONFIG_OFFLINE: 'true', WEBHOOK_SECRET: 'whsec_try_me_locally' }
  const [port] = await freePorts(1)
  const listen = `npx webhook-receiver listen --port ${port} --count 1`
  const listener = startProgram('sh', ['-c', `exec ${listen}`], { cwd: folder, env, group: true })
  try {
    const line = await listener.printed(/Try\s+(npx webhook-receiver .*)/)
    assert.match(await run('sh', ['-c', line], { cwd: folder, env }), /accepted with 204/)
    assert.equal((await listener.ended).code, 0)
  } finally {
    await listener.stop('SIGKILL')
  }
  return { saw: 'npx, installed, and what it prints', problems: [] }
}
