import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Delivery, webhookHandler } from '@webhook-receiver/node'
import { onTestFinished } from 'vitest'
import { SECRET } from './invoke.ts'

/** A server for the length of a test; resolves to its URL. */
export async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A real receiver that verifies with the secret of the tests, and what it was handed. */
export async function receiver(
  secret: string = SECRET,
): Promise<{ readonly url: string; readonly deliveries: Delivery[] }> {
  const deliveries: Delivery[] = []
  const origin = await serving(
    webhookHandler(secret, (delivery) => void deliveries.push(delivery), { onRejected: false }),
  )
  return { url: `${origin}/webhooks`, deliveries }
}
