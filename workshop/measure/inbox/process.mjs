// Stores or handles deliveries by one engine: process.mjs ENGINE FOLDER URL. Replies to each message.
import { setTimeout as delay } from 'node:timers/promises'
import { atOnce, ENGINES } from './engines.mjs'

const [name, folder, url] = process.argv.slice(2)
const engine = await ENGINES[name](folder, url)
await engine.setup()

/** In milliseconds, by a clock that the processes of a machine share. */
const now = () => Number(process.hrtime.bigint()) / 1e6

const delivery = { text: 'x'.repeat(900), amount: 4200, currency: 'eur' }
const begun = []
let last = 0
let stop

/** The deliveries of a run, whose number no other has. Of each key there are several, unless each has its own. */
function deliveriesOf({ run, count, keys }) {
  return Array.from({ length: count }, (_, at) => ({
    id: `${run.toString(16)}${at.toString(16).padStart(8, '0')}`,
    key: keys > 0 ? `${run}-${at % keys}` : undefined,
    delivery,
  }))
}

const COMMANDS = {
  /** How many a second. */
  async store(asked) {
    const started = now()
    await atOnce(deliveriesOf(asked), engine.store)
    return (asked.count / (now() - started)) * 1000
  },
  /** When each was stored, with a pause between any two. */
  async trickle({ pause, ...asked }) {
    const stored = []
    for (const each of deliveriesOf(asked)) {
      await delay(pause * (0.5 + Math.random()))
      await engine.store(each)
      stored.push([each.id, now()])
    }
    return stored
  },
  postpone: (asked) => engine.postpone(deliveriesOf(asked)),
  async work({ atOnce: most }) {
    stop = await engine.work(most, async (id, query) => {
      begun.push([id, now()])
      await query('INSERT INTO effects (id) VALUES ($1)', [id])
      last = now()
    })
  },
  /** When each began, and when the last one ended. */
  async stop() {
    await stop()
    return { begun, last }
  },
}

process.on('message', async ({ command, ...asked }) =>
  process.send((await COMMANDS[command](asked)) ?? 'done'),
)
process.send('ready')
