import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'

/** Forgeries that are sent at the same time. */
const AT_ONCE = 50

/**
 * Sends forgeries that look like deliveries, signed with a secret of the forger's own. `addresses` is how many, or
 * 'service' for that of the service. Returns how often each status came.
 */
export async function sendForgeries({ port, count, addresses, pace = () => {} }) {
  const agents = Array.from({ length: addresses === 'service' ? 1 : addresses }, (_, index) => ({
    agent: new Agent({ keepAlive: true, maxSockets: addresses === 'service' ? AT_ONCE : 4 }),
    // All of 127.0.0.0/8 is this machine.
    localAddress: addresses === 'service' ? '127.0.0.1' : `127.1.${index >> 8}.${index & 255}`,
  }))
  const secret = randomBytes(32)
  const statuses = {}
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next++
      const from = agents[index % agents.length]
      // The receiver may close a connection that was idle at the moment of a new request.
      const status = await post(from).catch(() => post(from))
      statuses[status] = (statuses[status] ?? 0) + 1
      pace(index)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    for (const { agent } of agents) agent.destroy()
  }
  return statuses

  function post(from) {
    const now = new Date().toISOString()
    const event = 'message.received'
    const data = { instance_id: 'instance-1', event, data: { text: 'forged' }, timestamp: now }
    const body = JSON.stringify({ id: randomUUID(), event, created_at: now, data })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    return new Promise((resolve, reject) => {
      request(
        {
          host: '127.0.0.1',
          port,
          path: '/webhooks',
          method: 'POST',
          ...from,
          headers: {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
            'X-Webhook-Timestamp': timestamp,
            'X-Webhook-Signature': `sha256=${mac}`,
          },
        },
        (response) => response.resume().on('end', () => resolve(response.statusCode)),
      )
        .on('error', reject)
        .end(body)
    })
  }
}
