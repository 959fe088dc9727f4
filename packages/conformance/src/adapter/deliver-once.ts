import { randomUUID } from 'node:crypto'
import type { Vectors } from '../vectors.ts'
import { Connection } from '../wire/connection.ts'
import { hardTimeout } from '../wire/exchange.ts'
import { concatRequests, deliveryRequest } from './delivery-request.ts'

/** Sends a delivery on a new connection and resolves to its outcome. */
export async function deliverOnce({ secret, path, clock }: Vectors, port: number): Promise<string> {
  const connection = await Connection.open(port)
  try {
    const setup = { secret, path, now: () => clock * 1000 }
    const closing = { headers: { Connection: 'close' } }
    void connection.write(concatRequests(deliveryRequest(setup, randomUUID(), closing)))
    const reply = await connection.finalReply('POST', performance.now() + hardTimeout)
    return typeof reply === 'string' ? reply : String(reply.status)
  } finally {
    connection.close()
  }
}
