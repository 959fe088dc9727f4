// An adapter with the default logging of its framework, for the canary: node server.mjs ADAPTER [LEAK].
import { subscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import { loadVectors } from '@webhook-receiver/conformance'
import { CHANNELS } from '@webhook-receiver/core/diagnostics'
import { applications } from './applications.mjs'
import { show } from './show.mjs'

const [adapter, leak] = process.argv.slice(2)
const [{ secret, clock, path }] = loadVectors('')
for (const channel of Object.values(CHANNELS)) subscribe(channel, show)

const listener = await applications[adapter]({ secret, now: () => clock * 1000, path, leak })
const server = createServer(listener).listen(0, '127.0.0.1', () => {
  process.send(server.address().port)
  process.channel.unref()
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
