import { fileURLToPath } from 'node:url'
import { startProgram } from '@webhook-receiver/checks/program.mjs'
import { expect, test } from 'vitest'

/** What chaos does where no Redis is installed. */
function run(...stores: readonly string[]) {
  const path = fileURLToPath(new URL('../faults/chaos.mjs', import.meta.url))
  const args = [path, '--deliveries', '4', '--kills', '0', ...stores]
  return startProgram(process.execPath, args, { env: { PATH: '' } }).ended
}

test('chaos fails where the server of a store is not installed, and says which', async () => {
  const { code, stdout, stderr } = await run('--store', 'redis')
  expect(code).toBe(1)
  expect(stderr).toContain('redis: redis-server is not installed.')
  expect(stdout).toContain('0 of 1 passed')
})

test('chaos tries a store that needs no server', async () => {
  const { code, stdout } = await run('--store', 'sqlite-transactional')
  expect(code).toBe(0)
  expect(stdout).toMatch(/'sqlite-transactional' +│ +'node' +│ +4 /)
  expect(stdout).toContain('1 of 1 passed')
})
