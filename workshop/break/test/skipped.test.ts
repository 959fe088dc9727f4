import { fileURLToPath } from 'node:url'
import { startProgram } from '@webhook-receiver/checks/program.mjs'
import { expect, test } from 'vitest'

/** Nobody listens on this port. */
const CLOSED = {
  REDIS_URL: 'redis://127.0.0.1:1',
  DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/test',
}

/** What a command does in this environment. */
function run(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const path = fileURLToPath(new URL(`../faults/${command}.mjs`, import.meta.url))
  return startProgram(process.execPath, [path, ...args], { env }).ended
}

const FEW = ['--deliveries', '4', '--kills', '0']

test('chaos tries the stores that need no server, and says which it skipped', async () => {
  const { code, stdout } = await run('chaos', FEW, CLOSED)
  expect(code).toBe(1)
  expect(stdout).toMatch(/'sqlite-transactional' +│ +'node' +│ +4 /)
  expect(stdout).toContain('  postgres: the server at 127.0.0.1:1 cannot be used')
  expect(stdout).toContain('Every promise was kept in the runs above.')
})

test('chaos fails where nothing could be tried', async () => {
  const { code, stdout, stderr } = await run('chaos', [...FEW, '--store', 'redis'], CLOSED)
  expect(code).toBe(1)
  expect(stderr).toBe('')
  expect(stdout).toContain('redis: the server at 127.0.0.1:1 cannot be used')
  expect(stdout).toContain('Nothing was tried.')
  expect(stdout).not.toContain('Every promise was kept')
})
