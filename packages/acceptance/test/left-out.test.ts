import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { redisAnswers } from '../../redis/test/server.ts'

/** Nobody listens on this port. */
const CLOSED = {
  REDIS_URL: 'redis://127.0.0.1:1',
  DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/test',
}

/** Only what is given by its full path is found. */
const NO_PROGRAMS = { PATH: '/nonexistent' }

/** What a script does in this environment. */
function run(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const path = fileURLToPath(new URL(`../../${script}.mjs`, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
  return { status, stdout, stderr }
}

const FEW = ['--deliveries', '4', '--kills', '0']

test('chaos says that it tried nothing where no store answers', () => {
  const { status, stdout, stderr } = run('faults/chaos', FEW, CLOSED)
  expect(status).toBe(1)
  expect(stderr).toBe('')
  expect(stdout).toContain('redis: the server at 127.0.0.1:1 could not be prepared')
  expect(stdout).toContain('Start it, or set DATABASE_URL to another.')
  expect(stdout).toContain('Nothing was tried.')
  expect(stdout).not.toContain('Every promise was kept')
  expect(stdout).not.toContain('secret')
})

test.skipIf(!redisAnswers)('chaos tries the stores that answer, and fails for the others', () => {
  const { status, stdout } = run('faults/chaos', FEW, { DATABASE_URL: CLOSED.DATABASE_URL })
  expect(status).toBe(1)
  expect(stdout).toMatch(/^redis +4 /m)
  expect(stdout).toContain('  postgres: the server at 127.0.0.1:1 could not be prepared')
  expect(stdout).toContain('kept in the runs above; the others were not tried.')
})

test.each(['', 'true'])('outage fails without redis-server, with CI=%s', (CI) => {
  const few = ['--store', 'redis', '--rounds', '1', '--lease', '2']
  const { status, stdout, stderr } = run('faults/outage', few, { CI, ...NO_PROGRAMS })
  expect(status).toBe(1)
  expect(stderr).toBe('')
  expect(stdout).toContain('redis, lease of 2 s: redis-server is not installed.')
  expect(stdout).toContain('Nothing was tried.')
  expect(stdout).not.toContain('Every promise was kept')
})

test('services names a missing program, and passes on the status of the command', () => {
  const command = [process.execPath, '-e', 'process.exit(process.env.REDIS_URL ? 1 : 3)']
  const { REDIS_URL } = CLOSED
  const { status, stderr } = run('tools/services', command, { REDIS_URL, ...NO_PROGRAMS })
  expect(stderr).toContain('REDIS_URL: 127.0.0.1:1 cannot be used: connect ECONNREFUSED')
  expect(stderr).toContain('REDIS_URL: redis-server is not installed.')
  expect(status).toBe(3)
})
