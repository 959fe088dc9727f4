import { createHmac, randomUUID } from 'node:crypto'
import { connect } from 'node:net'

/** A delivery as bytes, and the line that an example prints for it. */
export interface SignedRequest {
  readonly head: string
  readonly body: Buffer
  readonly line: string
}

/** The request of a delivery, signed without the library. */
export function signedRequest(
  secret: string,
  content: Readonly<Record<string, unknown>> = { text: 'Grüße 👋\nto <you> & \u2028me' },
): SignedRequest {
  const id = randomUUID()
  const event = 'message.received'
  const instance_id = '9007199254740993'
  const at = new Date().toISOString()
  const data = { instance_id, event, data: content, timestamp: at }
  const body = Buffer.from(JSON.stringify({ id, event, created_at: at, data }))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  const head = requestHead('POST', '/webhooks', [
    'Content-Type: application/json',
    `X-Webhook-Id: ${id}`,
    `X-Webhook-Timestamp: ${timestamp}`,
    `X-Webhook-Signature: sha256=${signature}`,
    `Content-Length: ${body.length}`,
  ])
  return { head, body, line: JSON.stringify({ id, event, instance_id }) }
}

export function requestHead(method: string, path: string, headers: readonly string[] = []): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...headers,
    '',
    '',
  ].join('\r\n')
}

/** Sends bytes on a connection of their own, waiting for `between` after each part, and resolves to the status. */
export function exchange(
  port: number,
  parts: readonly (string | Buffer)[],
  between: () => Promise<unknown> = async () => {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', async () => {
      for (const [index, part] of parts.entries()) {
        if (index > 0) await between()
        socket.write(part)
      }
    })
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text
    })
    // Who still sends behind an answer that closes the connection finds it reset; the answer counts.
    let cause: unknown
    socket.once('error', (error) => {
      cause = error
    })
    socket.once('close', () => {
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]
      if (status === undefined) reject(new Error(`no answer: ${JSON.stringify(answer)}`, { cause }))
      else resolve(Number(status))
    })
  })
}
