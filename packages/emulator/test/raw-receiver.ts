import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** One request as it came, byte for byte. */
export interface Arrival {
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  /** In how many pieces the body came. */
  readonly pieces: number
  /** Whether the body came to its end. */
  readonly complete: boolean
}

/** The response: a status, nothing at all, a half of one, or the connection is reset. */
export type Reply =
  | number
  | { readonly status: number; readonly headers?: string[]; readonly body: string }
  | 'nothing'
  | 'half'
  | 'reset'

/** A receiver that verifies nothing and keeps everything. */
export async function receiveRaw(
  reply: (arrival: Arrival, index: number) => Reply | Promise<Reply> = () => 204,
) {
  const arrivals: Arrival[] = []
  let [now, most] = [0, 0]
  const server = createServer(async (req, res) => {
    now += 1
    most = Math.max(most, now)
    const chunks: Buffer[] = []
    try {
      for await (const chunk of req) chunks.push(chunk)
    } catch {
      // The connection was dropped; `complete` says so.
    }
    const { headers, rawHeaders, complete } = req
    const body = Buffer.concat(chunks)
    const arrival = { headers, rawHeaders, body, pieces: chunks.length, complete }
    arrivals.push(arrival)
    const outcome = await reply(arrival, arrivals.length - 1)
    now -= 1
    if (outcome === 'nothing') return
    if (outcome === 'reset') req.socket.resetAndDestroy()
    else if (outcome === 'half')
      res.writeHead(200, { 'Content-Length': 10 }).write('x', () => req.socket.destroy())
    else if (typeof outcome === 'number') res.writeHead(outcome).end()
    else res.writeHead(outcome.status, outcome.headers).end(outcome.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  /** How many requests were being served at the same time, at most. */
  const mostAtOnce = () => most
  return { url: `http://127.0.0.1:${port}/webhooks`, arrivals, server, mostAtOnce }
}
