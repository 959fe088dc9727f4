import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'

const { fetchOf } = await import(process.env.SURFACES)
const server = createServer(getRequestListener(fetchOf(JSON.parse(process.env.SETTINGS))))
// The application is asked over a socket: meanwhile Node would close a connection that the sender has half closed.
server.httpAllowHalfOpen = true
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`))
