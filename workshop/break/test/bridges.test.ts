import { join } from 'node:path'
import { postgresProblem } from '@webhook-receiver/checks/postgres.mjs'
import { startProgram } from '@webhook-receiver/checks/program.mjs'
import { redisProblem } from '@webhook-receiver/checks/redis.mjs'
import { expect, test } from 'vitest'
import { findBridges } from '../bridges/list.mjs'
import { tryBridge } from '../bridges/trial.mjs'

const isAway = ((await redisProblem()) ?? (await postgresProblem())) !== undefined

// `npm run break -- bridges` tries all of them. These two need nothing that is not installed.
const few = findBridges().filter(({ packages }) => packages === undefined)

test.skipIf(isAway && process.env.CI !== 'true').concurrent.each(few)(
  'the page of $name keeps the contract of a bridge, with kills',
  async (bridge) => {
    const { saw, problems } = await tryBridge(bridge)
    expect(problems).toEqual([])
    expect(Object.keys(saw)).toHaveLength(5)
  },
)

test.skipIf(isAway && process.env.CI !== 'true')(
  'an inbox is drained into a queue, and the queue into an inbox, each delivery once',
  async () => {
    const program = join(import.meta.dirname, '../bridges/move.mjs')
    const args = ['--import', import.meta.resolve('tsx'), program, '30']
    const { code, stdout, stderr } = await startProgram(process.execPath, args).ended
    expect(code, stderr).toBe(0)
    const handled = { once: 30, twice: 0 }
    expect(JSON.parse(stdout)).toEqual({ sent: 30, inQueue: 30, handled })
  },
)
