import { readFileSync } from 'node:fs'
import { EVENTS } from '@webhook-receiver/core'
import { MESSAGE_STATES, movesForward } from '@webhook-receiver/core/handling'
import { DATABASE_URL, postgresProblem } from '@webhook-receiver/tools/postgres.mjs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const problem = await postgresProblem()
const TABLE = `message_states_${process.pid}`

/** The statements of the guide, on a table of this test. */
const guide = readFileSync(
  new URL('../../../docs/guides/message-states.md', import.meta.url),
  'utf8',
)
const [create = '', keep = ''] = (/```sql\n(.*?)```/s.exec(guide)?.[1] ?? '')
  .replaceAll(/\bmessages\b/g, TABLE)
  .split(';')

describe.skipIf(problem !== undefined)('the statement of the guide', () => {
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 8 })
  let count = 0

  beforeAll(() => pool.query(create))
  afterAll(async () => {
    await pool.query(`DROP TABLE ${TABLE}`)
    await pool.end()
  })

  async function stateAfter(
    run: (send: (event: string) => Promise<unknown>) => Promise<unknown>,
  ): Promise<unknown> {
    count += 1
    const id = `m${count}`
    await run((event) =>
      movesForward(undefined, event) ? pool.query(keep, [id, event]) : Promise.resolve(),
    )
    const { rows } = await pool.query(`SELECT state FROM ${TABLE} WHERE id = $1`, [id])
    return rows[0]?.state
  }

  test('keeps the furthest state in every order', async () => {
    for (const order of permutations(MESSAGE_STATES)) {
      for (let length = 1; length <= order.length; length++) {
        const events = order.slice(0, length)
        const wanted = MESSAGE_STATES.filter((state) => events.includes(state)).at(-1)
        const found = await stateAfter(async (send) => {
          for (const event of [...events, ...events]) await send(event)
        })
        expect(found).toBe(wanted)
      }
    }
  })

  test('keeps the furthest state where all events come at the same time', async () => {
    for (let round = 0; round < 50; round++) {
      const order = [...EVENTS, ...EVENTS].sort(() => Math.random() - 0.5)
      expect(await stateAfter((send) => Promise.all(order.map(send)))).toBe('message.read')
    }
  })

  test('does not replace a state that it does not know', async () => {
    await pool.query(`INSERT INTO ${TABLE} VALUES ('newer', 'message.archived')`)
    await pool.query(keep, ['newer', 'message.read'])
    const { rows } = await pool.query(`SELECT state FROM ${TABLE} WHERE id = 'newer'`)
    expect(rows[0].state).toBe('message.archived')
  })
})

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  )
}
