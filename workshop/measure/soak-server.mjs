// The application of one adapter: soak-server.mjs ADAPTER. Replies to each message with its memory.
import { applications } from '@webhook-receiver/trials/applications.mjs'
import { memoryInUse } from './memory.mjs'
import { SECRET } from './messages.mjs'

const server = await applications[process.argv[2]](SECRET, {})
// As on Fastify. By Node's default of 5 s a connection is closed while a busy client is about to use it again.
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('message', () => process.send(memoryInUse()))
