import { createHmac, randomUUID } from 'node:crypto'
import { Connection } from './connection.ts'
import type { Vectors } from './vectors.ts'

/** Sends a genuine delivery on a new connection and resolves to its outcome. */
export async function probe(vectors: Vectors, port: number): Promise<string> {
  const connection = await Connection.open(port)
  try {
    void connection.write(genuineRequest(vectors))
    const reply = await connection.finalReply('POST', performance.now() + 5000)
    return typeof reply === 'string' ? reply : String(reply.status)
  } finally {
    connection.close()
  }
}

function genuineRequest({ secret, path, clock }: Vectors): Buffer {
  const at = new Date(clock * 1000).toISOString()
  const event = 'instance.connected'
  const data = { instance_id: 'probe', event, data: {}, timestamp: at }
  const body = JSON.stringify({ id: randomUUID(), event, created_at: at, data })
  const signature = createHmac('sha256', secret).update(`${clock}.${body}`).digest('hex')
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
      `X-Webhook-Timestamp: ${clock}\r\nX-Webhook-Signature: sha256=${signature}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
