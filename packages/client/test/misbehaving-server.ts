import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

/** What arrived, for an assertion that nothing did. */
export interface Arrival {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly authorization: string | undefined
}

/** A server that answers as the test says, until the test is over. */
export async function serve(
  listener: RequestListener,
): Promise<{ readonly baseUrl: string; readonly arrivals: readonly Arrival[] }> {
  const arrivals: Arrival[] = []
  const server = createServer((req, res) => {
    arrivals.push({ method: req.method, url: req.url, authorization: req.headers.authorization })
    listener(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { baseUrl: `http://127.0.0.1:${address.port}`, arrivals }
}

/** A server that gives one answer to everything. */
export function serveAnswer(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): ReturnType<typeof serve> {
  return serve((_req, res) => {
    res.writeHead(status, headers).end(body)
  })
}
