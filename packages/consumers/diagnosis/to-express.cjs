const { once } = require('node:events')
const { createServer } = require('node:http')
const { FORGED } = require('./forged.cjs')

/** Sends the Express adapter a forged request. */
exports.toExpress = async ({ webhookMiddleware }, express) => {
  const app = express().use(webhookMiddleware('whsec_1', { diagnose: true }))
  const server = createServer(app).listen(0)
  await once(server, 'listening')
  const { status } = await fetch(`http://localhost:${server.address().port}/`, FORGED)
  console.log(`answered ${status}`)
  server.close()
  server.closeAllConnections()
}
