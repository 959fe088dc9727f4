const apps = require('./apps.cjs')

/** Starts the application for a framework: one line with the port, then one for each delivery. */
module.exports = async function start(name, adapter, framework) {
  const saw = ({ id }) => console.log(JSON.stringify({ id }))
  const server = await apps[name](adapter, framework, process.env.WEBHOOK_SECRET, saw)
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
}
