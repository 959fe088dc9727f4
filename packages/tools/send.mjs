import { request } from 'node:http'

/** How long an answer may take, in milliseconds. */
const ANSWER_TIME = 5000

/** Posts a delivery on a connection of its own. Resolves to the status, or to what happened instead. */
export function send(port, { headers, body }) {
  const started = performance.now()
  return new Promise((resolve) => {
    const settle = (outcome) => resolve({ outcome, milliseconds: performance.now() - started })
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path: '/webhooks',
      method: 'POST',
      headers: { ...headers, 'Content-Length': body.length },
      agent: false,
      timeout: ANSWER_TIME,
    })
    outgoing.once('response', (response) => {
      response.resume().once('end', () => settle(response.statusCode))
      response.once('error', (error) => settle(error.code))
    })
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer')))
    outgoing.on('error', (error) => settle(error.code ?? error.message))
    outgoing.end(body)
  })
}
