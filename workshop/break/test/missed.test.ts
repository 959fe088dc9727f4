import { postgresProblem } from '@webhook-receiver/checks/postgres.mjs'
import { expect, test } from 'vitest'
import { SERVICES } from '../missed/services.mjs'
import { missFourHours } from '../missed/trial.mjs'

/** Seconds between two deliveries. */
const EVERY = process.env.EVERYTHING ? 30 : 60

test
  .skipIf((await postgresProblem()) !== undefined && process.env.CI !== 'true')
  .concurrent.each(SERVICES)(
  'what $name sent in four hours without a receiver is all there in the end, and once, with kills',
  async (service) => {
    const { sent, missed, ...end } = await missFourHours(service, EVERY)
    expect(sent).toBeGreaterThan((5 * 3600) / EVERY)
    expect(missed).toBeGreaterThan(sent / 2)
    expect(end).toMatchObject({ lost: 0, twice: 0, kills: 2, isRefused: true })
    expect(end.runs).toBeGreaterThan(1)
  },
)
