// A receiver whose handler works for a while and then writes the id of its delivery to a journal.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { deliveryHandler, webhookListener } from '@webhook-receiver/node'

const { PORT, WEBHOOK_SECRET, JOURNAL, EARLY, WORK } = process.env
const options = EARLY ? { acknowledgeEarly: { onLost: () => {} } } : {}
const any = async ({ id }) => {
  await delay(Number(WORK))
  appendFileSync(JOURNAL, `${id}\n`)
}
const server = createServer(
  webhookListener(WEBHOOK_SECRET, deliveryHandler({ any }, options), { onRejected: false }),
)
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`)
})
