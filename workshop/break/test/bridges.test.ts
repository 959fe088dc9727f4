import { postgresProblem } from '@webhook-receiver/checks/postgres.mjs'
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
