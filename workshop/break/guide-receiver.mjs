// Receives for services with the `enqueue` of a module: node guide-receiver.mjs MODULE SECRET SCHEME ...
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { webhookHandler } from '@webhook-receiver/node'
import { listen } from './applications.mjs'

const [file, secret, ...names] = process.argv.slice(2)
const { enqueue } = await import(pathToFileURL(file).href)
const schemes = await import('@webhook-receiver/schemes')
const listeners = names.map((name) => {
  const duplicates = name === 'github' ? 'body' : 'id'
  const options = { scheme: schemes[name], duplicates, timeout: 5 }
  return [`/${name}`, webhookHandler(secret, enqueue, options)]
})
const listenerAt = new Map(listeners)
await listen(createServer((request, response) => listenerAt.get(request.url)(request, response)))
