const { FORGED } = require('./forged.cjs')

/** Gives core a forged request. It imports nothing of Node, which a bundle in ES modules could not require. */
exports.toCore = async ({ createReceiver }) => {
  const request = new Request('http://localhost/webhooks', FORGED)
  const refused = createReceiver('whsec_1', { diagnose: true }).receiveRequest(request)
  await refused.catch(({ status }) => console.log(`answered ${status}`))
}
