// What the handlers of both inboxes do before and after their effect. Copied beside the workers of the examples.
import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const { JOURNAL, FAILURES, DWELL, CURED, NAIVE } = process.env

/** PostgreSQL takes none of these. Without our task the first such message ends the worker. */
const AWKWARD = NAIVE ? '' : ' \0 \ud800'

/** Fails each time for a poison delivery, and sometimes for another: before its effect, or after it. */
export async function behave({ id, data: { instance_id: conversation, data } }, effect) {
  appendFileSync(JOURNAL, `${id}\n`)
  const fails = Math.random() < Number(FAILURES)
  const early = fails && Math.random() < 0.5
  await delay(Math.random() * Number(DWELL))
  if ((data.poison && !CURED) || early) {
    throw new Error(`The handler fails on purpose.${AWKWARD}`)
  }
  await effect({ id, conversation, number: data.number })
  await delay(Math.random() * Number(DWELL))
  if (fails) throw new Error('The handler fails on purpose, after its effect.')
}
