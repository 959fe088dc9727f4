import { randomBytes } from 'node:crypto'
import { EVENTS } from './deliveries.mjs'

/** Events of the conversation per second: fast, and still one after the other. */
const RATE = 20

/** How long a response may take, in seconds. */
const TIMEOUT = 5

/** Starts the emulator, and a client that registers webhooks at it. */
export async function startService() {
  // Not before it is known that they are built.
  const { conversation, createEmulator } = await import('@webhook-receiver/emulator')
  const { createWebhookClient } = await import('@webhook-receiver/client')
  const apiKey = randomBytes(24).toString('hex')
  // Without retries, so that what is not delivered at once is seen.
  const emulator = createEmulator({ apiKey, retries: [], timeout: TIMEOUT })
  await emulator.start()
  const { baseUrl } = emulator
  const client = createWebhookClient({ baseUrl, apiKey, allowInsecureLoopback: true })
  return {
    baseUrl,
    register: async (url) => (await client.create({ url, events: EVENTS })).secret,
    async converse(applications) {
      await emulator.run(conversation(), { rate: RATE })
      const reports = emulator.deliveries()
      return EVENTS.flatMap((event) =>
        applications.map((application) => exchangeOf(reports, event, application)),
      )
    },
    stop: () => emulator.stop(),
  }
}

/** What the emulator did for one event and one application, in the form of what the demo sends itself. */
function exchangeOf(reports, event, application) {
  const own = reports.filter((report) => report.event === event && report.url === application.url)
  const [{ id, instanceId, attempts: [attempt] = [] } = {}] = own
  const delivery = { id, event, data: { instance_id: instanceId } }
  return {
    request: { delivery, name: event, section: 'service', status: 204, seen: true },
    application,
    outcome: own.length === 1 ? (attempt?.status ?? attempt?.error) : `sent ${own.length} times`,
    milliseconds: (attempt?.duration ?? 0) * 1000,
  }
}
