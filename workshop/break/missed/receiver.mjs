// The server of the guide: its handlers on its store, for the service of the trial.
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { webhookHandler } from '@webhook-receiver/node'
import { SERVICES } from './services.mjs'

const [webhooks, name, secret] = process.argv.slice(2)
const { handlers, store } = await import(pathToFileURL(webhooks).href)
const { scheme } = SERVICES.find((service) => service.name === name)
const duplicates = name === 'github' ? 'body' : 'id'

const server = createServer(webhookHandler(secret, handlers, { scheme, store, duplicates }))
server.listen(Number(process.env.PORT), '127.0.0.1', () => {
  console.error(`Listening on http://localhost:${server.address().port}`)
})
