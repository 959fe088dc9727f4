// Receives with the `enqueue` of a page.
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { webhookHandler } from '@webhook-receiver/node'
import { github, stripe } from '@webhook-receiver/schemes'

const [file, secret] = process.argv.slice(2)
const { enqueue } = await import(pathToFileURL(file).href)

const handlers = {
  '/stripe': webhookHandler(secret, enqueue, { scheme: stripe, timeout: 5 }),
  '/github': webhookHandler(secret, enqueue, { scheme: github, timeout: 5, duplicates: 'body' }),
}
createServer((request, response) => handlers[request.url](request, response)).listen(
  Number(process.env.PORT),
  '127.0.0.1',
  () => console.error(`Listening on http://localhost:${process.env.PORT}`),
)
