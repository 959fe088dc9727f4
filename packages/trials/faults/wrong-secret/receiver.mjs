// A receiver with a quarantine. Its handler writes the id of each delivery to a journal: that is the effect that must happen once.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { webhookHandler } from '@webhook-receiver/node'
import { folderQuarantine } from '@webhook-receiver/quarantine'
import { redisStore } from '@webhook-receiver/redis'
import { Redis } from 'ioredis'

const { PORT, WEBHOOK_SECRET, REDIS_URL, FOLDER, JOURNAL, MAX_ENTRIES } = process.env
const redis = new Redis(REDIS_URL)
const store = redisStore({ send: (command) => redis.call(...command) })
const handle = async ({ id }) => appendFileSync(JOURNAL, `${id}\n`)
const quarantine = folderQuarantine(FOLDER, { maxEntries: Number(MAX_ENTRIES) })
const options = { store, quarantine, onRejected: false }
const server = createServer(webhookHandler(WEBHOOK_SECRET, handle, options))
// The forgers keep their connections open.
server.keepAliveTimeout = 60_000
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`)
})
