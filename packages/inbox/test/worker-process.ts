// One of several workers that are killed, for processes.test.ts: its handlers fail now and then, before their effect and behind it.
import { setTimeout as delay } from 'node:timers/promises'
import { postgresInbox } from '@webhook-receiver/inbox'
import { stripe } from '@webhook-receiver/schemes'
import { createPool } from './inboxes.ts'

const [url, table = ''] = process.argv.slice(2)
const pool = createPool(url)
const insert = `INSERT INTO ${table}_effects (id) VALUES ($1)`

const inbox = postgresInbox({
  ...{ pool, table, attempts: 100, wait: () => 0.05, onError: () => {} },
  services: {
    stripe: {
      scheme: stripe,
      async handlers({ id }, { transaction }) {
        const fate = Math.random()
        if (fate < 0.03) throw new Error('Before its effect.')
        await transaction.query(insert, [id])
        await delay(Math.random() * 4)
        if (fate > 0.97) throw new Error('Behind its effect.')
      },
    },
  },
})
await inbox.work({ concurrency: 5 })
console.error('Working')
